import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chapterErrors, chaptersOf, withChapters } from './chapters.ts'

const list = (text: string, durationSeconds = 600) =>
  chaptersOf(text, durationSeconds).map(
    ({ title, startSeconds, endSeconds }) => `${startSeconds}-${endSeconds} ${title}`,
  )

describe('chapters of a description', () => {
  it('are lines that begin with a timestamp', () => {
    expect(list('A day at the sea.\n\n0:00 Ebb\n2:30 Slack water\n07:06 Flood\n\nThanks!')).toEqual([
      '0-150 Ebb',
      '150-426 Slack water',
      '426-600 Flood',
    ])
  })

  it('are lines that end with a timestamp', () => {
    expect(list('Ebb (0:00)\nSlack water - 2:30\nFlood: [7:06]')).toEqual([
      '0-150 Ebb',
      '150-426 Slack water',
      '426-600 Flood',
    ])
  })

  it('may be numbered, bracketed, dashed or given as ranges, in any script', () => {
    const text =
      '1. [0:00] Ebb\r\n• 00:01:00 – 夜景\r\n(2:00) "Flood"\r\n3:00 - 4:00 (Calm)\r\n* 5:00: 🎬 End'
    expect(list(text)).toEqual([
      '0-60 Ebb',
      '60-120 夜景',
      '120-180 "Flood"',
      '180-300 (Calm)',
      '300-600 🎬 End',
    ])
  })

  it('begin at 0:00 and end where the times stop ascending', () => {
    expect(list('Filmed at 10:30\n0:00 a\n1:00 b\n2:00 c\nThe best part: 0:45')).toEqual([
      '0-60 a',
      '60-120 b',
      '120-600 c',
    ])
  })

  it('take hours where the video has them', () => {
    expect(list('0:00 a\n59:00 b\n1:00:10 c', 4000)).toEqual(['0-3540 a', '3540-3610 b', '3610-4000 c'])
  })

  it.each([
    ['fewer than three', '0:00 a\n1:00 b'],
    ['no start at 0:00', '0:01 a\n1:00 b\n2:00 c'],
    ['descending times', '0:00 a\n2:00 b\n1:00 c'],
    ['a chapter of four seconds', '0:00 a\n0:04 b\n1:00 c'],
    ['times beyond the end', '0:00 a\n1:00 b\n10:00 c'],
    ['no titles', '0:00\n1:00\n2:00'],
    ['times within sentences', 'from 0:00 on\nat 1:00 it turns\nand 2:00 too'],
    ['other numbers', '0:00 a\n1:75 b\n1:2:3:4 c\n16:9 d'],
  ])('are none with %s', (_, text) => {
    expect(list(text)).toEqual([])
  })

  it('cover the whole video in order, whatever the text', () => {
    const line = fc.tuple(fc.nat(900), fc.string({ maxLength: 8 })).map(([seconds, title]) => {
      const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
      return `${clock} ${title}`
    })
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
        const chapters = chaptersOf(['0:00 start', ...lines].join('\n'), 600)
        for (const [index, chapter] of chapters.entries()) {
          expect(chapter.startSeconds).toBe(chapters[index - 1]?.endSeconds ?? 0)
          expect(chapter.title.trim()).not.toBe('')
        }
        expect(chapters.at(-1)?.endSeconds ?? 600).toBe(600)
      }),
    )
  })

  it('are read from any text without backtracking', () => {
    const text = ['- ', '1:', 'a - ', '(0:0'].map((part) => part.repeat(20_000)).join('\n')
    expect(list(text)).toEqual([])
  })
})

describe('chapters written into a description', () => {
  const tides = [
    { title: 'Ebb', startSeconds: 0 },
    { title: 'Slack water', startSeconds: 90 },
    { title: 'Flood', startSeconds: 3700 },
  ]

  it('follow its text', () => {
    expect(withChapters('A day at the sea.\n', 4000, tides)).toBe(
      'A day at the sea.\n\n0:00 Ebb\n1:30 Slack water\n1:01:40 Flood',
    )
    expect(withChapters('', 4000, tides)).toBe('0:00 Ebb\n1:30 Slack water\n1:01:40 Flood')
  })

  it('replace those that it lists, where they are', () => {
    const text = 'A day.\n\n0:00 a\n- 1:00 b\nc (2:00)\n\nThanks for 1000 views!'
    expect(withChapters(text, 4000, tides)).toBe(
      'A day.\n\n0:00 Ebb\n1:30 Slack water\n1:01:40 Flood\n\nThanks for 1000 views!',
    )
    expect(withChapters(text, 4000, [])).toBe('A day.\n\n\nThanks for 1000 views!')
  })

  it('are read from it again where nothing is wrong with them', () => {
    const chapter = fc.record({ title: fc.string({ unit: 'grapheme', maxLength: 60 }), length: fc.nat(4000) })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(chapter, { maxLength: 8 }), (text, lengths) => {
        let at = 0
        const chapters = lengths.map(({ title, length }) => {
          const startSeconds = at
          at += length
          return { title: title.replaceAll(/\s+/g, ' '), startSeconds }
        })
        const { ofEach, isShort } = chapterErrors(chapters, 9000)
        fc.pre(chapters.length > 0 && !isShort && ofEach.every((error) => error === undefined))
        fc.pre(chaptersOf(text, 9000).length === 0 && !/\d:\d/.test(text))
        const read = chaptersOf(withChapters(text, 9000, chapters), 9000)
        expect(read.map(({ startSeconds }) => startSeconds)).toEqual(
          chapters.map(({ startSeconds }) => startSeconds),
        )
      }),
    )
  })

  it('are checked first', () => {
    const check = (...starts: number[]) =>
      chapterErrors(
        starts.map((startSeconds) => ({ title: 'Ebb', startSeconds })),
        600,
      )
    expect(check(0, 60, 120)).toEqual({ ofEach: [undefined, undefined, undefined], isShort: false })
    expect(check()).toEqual({ ofEach: [], isShort: false })
    expect(check(0, 60).isShort).toBe(true)
    expect(check(1, 60, 62, 600).ofEach).toEqual(['lateStart', undefined, 'tooShort', 'afterEnd'])
    expect(chapterErrors([{ title: ' - ', startSeconds: 0 }], 600).ofEach).toEqual(['noTitle'])
  })
})
