import { expect, it } from 'vitest'
import { formatClock } from '../state/player-time.ts'
import { secondsOf, transcriptLines, transcriptText } from './api.ts'

const vtt = [
  'WEBVTT',
  '',
  '00:01.000 --> 00:02.000',
  '<i>Salt</i> &amp;',
  'sun',
  '',
  '00:02.000 --> 00:03.000',
  'Salt &amp; sun',
  '',
  '01:15.000 --> 01:16.000',
  'Dawn',
].join('\n')

it('has one line for each sentence, without tags and repetitions', () => {
  expect(transcriptLines(vtt)).toEqual([
    { startSeconds: 1, endSeconds: 2, text: 'Salt & sun' },
    { startSeconds: 75, endSeconds: 76, text: 'Dawn' },
  ])
})

it('is copied with its times', () => {
  expect(transcriptText(transcriptLines(vtt), formatClock)).toBe('00:01 Salt & sun\n01:15 Dawn')
})

it('finds the time of a word within its line', () => {
  const line = { startSeconds: 10, endSeconds: 14, text: 'Low tide comes at Seven.' }
  expect(secondsOf(line, '')).toBe(10)
  expect(secondsOf(line, 'low')).toBe(10)
  expect(secondsOf(line, 'seven')).toBe(13)
})
