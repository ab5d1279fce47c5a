import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCaptionsVtt } from './captions.ts'

const srt = (...cues: string[]) => cues.map((cue, index) => `${index + 1}\n${cue}\n`).join('\n')

test('shifts cues to the clock of the video and drops those outside of it', () => {
  const text = srt(
    '00:16:39,000 --> 00:16:40,000\nbefore it',
    '00:16:44,500 --> 00:16:46,000\nas it begins',
    '00:16:46,250 --> 00:16:47,000\ntwo\nlines',
    '00:16:48,000 --> 00:16:48,000\nno time',
    '00:16:49,000 --> 00:16:50,000\n',
    '00:16:54,000 --> 00:17:30,000\nas it ends',
    '00:17:54,000 --> 00:18:30,000\nafter it',
  )
  expect(toCaptionsVtt(text, 1005, 10)).toBe(`WEBVTT

00:00:00.000 --> 00:00:01.000
as it begins

00:00:01.250 --> 00:00:02.000
two
lines

00:00:09.000 --> 00:00:10.000
as it ends
`)
})

test('escapes markup, timings and blank lines in a cue', () => {
  const hostile = srt(
    '00:00:01,000 --> 00:00:02,000\n<v Ann>1 < 2 & 3\n\n00:05.000 --> 00:06.000\r\rNOTE x\0y\n\n\nSTYLE',
    '00:00:03,000 --> 00:00:04,000\nlast',
  )
  expect(toCaptionsVtt(hostile, 0, 10)).toBe(`WEBVTT

00:00:01.000 --> 00:00:02.000
&lt;v Ann&gt;1 &lt; 2 &amp; 3
00:05.000 --&gt; 00:06.000
NOTE xy
STYLE

00:00:03.000 --> 00:00:04.000
last
`)
})

test.each(['', 'text without a time', '1\n0:1 --> 2\nx'])(
  'returns no cues for malformed input (%j)',
  (text) => {
    expect(toCaptionsVtt(text, 0, 10)).toBe('WEBVTT\n\n')
  },
)

const time = fc
  .nat(40_000)
  .map(
    (ms) => `00:00:${String(Math.floor(ms / 1000)).padStart(2, '0')},${String(ms % 1000).padStart(3, '0')}`,
  )
const words = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    ' --> ',
    '-->',
    '<b>',
    '</v>',
    '&lt;',
    '\0',
    'NOTE',
    'STYLE',
    'WEBVTT',
    '1\n',
  ),
  time,
  fc.tuple(time, time).map(([from, to]) => `1\n${from} --> ${to}\n`),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const strangeSrt = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(''))

/** A WebVTT cue: a timing line, and text lines that contain neither timings nor markup. */
const cue = /^(\d\d:\d\d:\d\d\.\d{3}) --> (\d\d:\d\d:\d\d\.\d{3})\n([^\n]+(?:\n[^\n]+)*)$/

test('returns a WebVTT header and cues for arbitrary text', () => {
  fc.assert(
    fc.property(strangeSrt, fc.nat(20), fc.integer({ min: 1, max: 30 }), (text, zeroSeconds, seconds) => {
      const vtt = toCaptionsVtt(text, zeroSeconds, seconds)
      expect(vtt.startsWith('WEBVTT\n\n')).toBe(true)
      expect(vtt).not.toMatch(/[\r\0]/)
      const body = vtt.slice('WEBVTT\n\n'.length)
      if (body === '') return
      for (const block of body.replace(/\n$/, '').split('\n\n')) {
        const [, from = '', to = '', lines] = cue.exec(block) ?? []
        expect(lines, JSON.stringify(block)).toBeDefined()
        expect(lines).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/)
        expect(from < to).toBe(true)
        expect(to <= `00:00:${String(seconds).padStart(2, '0')}.000`).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})
