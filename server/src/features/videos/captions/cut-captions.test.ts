import { expect, test } from 'vitest'
import { cutCaptions } from './rules.ts'

const keep = [
  { startSeconds: 0, endSeconds: 4 },
  { startSeconds: 10, endSeconds: 20 },
]

test('sends of captions what viewers hear, and no notes', () => {
  const vtt = [
    'WEBVTT the whole story',
    'NOTE\nwhat was cut at 00:05.000 --> 00:06.000',
    'STYLE\n::cue { color: red } /* secret */',
    '1\n00:01.000 --> 00:02.000\nseen at 00:15.000',
    '00:03.500 --> 00:04.200\nnearly all seen',
    '00:03.000 --> 00:04.500\nhalf a second too long',
    '00:05.000 --> 00:09.000\nremoved',
    '00:00:11.000 --> 00:00:12.000 line:0\nlater',
  ]
  const cut = cutCaptions(`${vtt.join('\n\n')}\n`, keep)
  expect(cut.split('\n\n').map((block) => block.trim())).toEqual([
    'WEBVTT',
    'STYLE\n::cue { color: red }',
    '1\n00:00:01.000 --> 00:00:02.000\nseen at 00:15.000',
    '00:00:03.500 --> 00:00:04.000\nnearly all seen',
    '00:00:05.000 --> 00:00:06.000 line:0\nlater',
  ])
})

test('sends the words of a cue that viewers hear, where their times are known', () => {
  const cue = '00:03.000 --> 00:12.000\nbefore <00:05.000>removed <00:11.000>after'
  const text = cutCaptions(`WEBVTT\n\n${cue.replace('<00:05', '<00:04')}\n`, keep)
  expect(text).toBe('WEBVTT\n\n00:00:03.000 --> 00:00:06.000\nbefore <00:00:05.000>after\n')
})
