import { expect, it } from 'vitest'
import { cueError, editedCues, insertCue, mergeCue, shiftCues, splitCue, vttOfEdited } from './cue-list.ts'

const vtt = [
  'WEBVTT',
  '',
  '00:00:01.000 --> 00:00:03.000 line:0',
  'Salt &amp; sun at dawn',
  '',
  '00:00:04.000 --> 00:00:05.000',
  '<i>Wind</i>',
  '',
].join('\n')
const cues = editedCues(vtt)
const shown = (list: typeof cues) => list.map((cue) => `${cue.startSeconds}-${cue.endSeconds} ${cue.text}`)

it('edits plain text and writes the same file', () => {
  expect(shown(cues)).toEqual(['1-3 Salt & sun at dawn', '4-5 <i>Wind</i>'])
  expect(vttOfEdited(cues)).toBe(vtt)
})

it('splits a cue at the position of the video, or in the middle', () => {
  expect(shown(splitCue(cues, 0, 1.5))).toEqual(['1-1.5 Salt & sun', '1.5-3 at dawn', '4-5 <i>Wind</i>'])
  expect(shown(splitCue(cues, 0, 9)).slice(0, 2)).toEqual(['1-2 Salt & sun', '2-3 at dawn'])
  expect(new Set(splitCue(cues, 0, 9).map(({ key }) => key)).size).toBe(3)
})

it('merges a cue with the next one', () => {
  expect(shown(mergeCue(cues, 0))).toEqual(['1-5 Salt & sun at dawn\n<i>Wind</i>'])
  expect(shown(mergeCue(cues, 1))).toEqual(shown(cues))
})

it('shifts all cues, and leaves out what comes before the video', () => {
  expect(shown(shiftCues(cues, 0.5))).toEqual(['1.5-3.5 Salt & sun at dawn', '4.5-5.5 <i>Wind</i>'])
  expect(shown(shiftCues(cues, -3.2))).toEqual(['0.8-1.8 <i>Wind</i>'])
})

it('adds a cue in its place, and leaves out empty ones of the file', () => {
  const { added, changed } = insertCue(cues, 3.5)
  expect(changed[1]).toBe(added)
  expect(shown(changed)).toEqual(['1-3 Salt & sun at dawn', '3.5-5.5 ', '4-5 <i>Wind</i>'])
  expect(vttOfEdited(changed)).toBe(vtt)
})

it('knows a cue that ends before it begins', () => {
  expect(cues.map(cueError)).toEqual([undefined, undefined])
  expect(cueError({ startSeconds: 2, endSeconds: 2, text: '', settings: '' })).toBe('Ends before it begins')
})
