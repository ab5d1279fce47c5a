import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatVtt, parseCaptions, plainTextOf } from '@kinora/contract/videos/caption-cues.ts'
import { layOutCues } from './cues.ts'
import type { TimedText } from './speech.ts'

/** Words of a text, each as long as its letters take at a usual speed; `|` is a pause of two seconds. */
function speak(text: string, secondsPerCharacter = 0.06): TimedText[] {
  let at = 0
  return text.split(' ').flatMap((word) => {
    const startSeconds = at + (word === '|' ? 2 : 0)
    at = startSeconds + (word === '|' ? 0 : (word.length + 1) * secondsPerCharacter)
    return word === '|' ? [] : [{ text: word, startSeconds, endSeconds: at }]
  })
}

const linesOf = (words: TimedText[]) => layOutCues(words).map(({ text }) => plainTextOf(text).split('\n'))

test('ends cues at the ends of sentences', () => {
  expect(
    linesOf(speak('The water is cold in the morning. We swim all the same. Nobody has ever caught a cold.')),
  ).toEqual([
    ['The water is cold in the morning.'],
    ['We swim all the same.'],
    ['Nobody has ever caught a cold.'],
  ])
})

test('divides a long sentence at its clauses, and a cue into two even lines', () => {
  const sentence =
    'When the lake freezes over in December, the people of the village take out their skates, and nobody works for three days or more.'
  expect(linesOf(speak(sentence))).toEqual([
    ['When the lake freezes over in December,'],
    ['the people of the village', 'take out their skates,'],
    ['and nobody works for three days or more.'],
  ])
})

test('ends cues at long pauses', () => {
  expect(linesOf(speak('one two | three four'))).toEqual([['one two'], ['three four']])
})

test('joins sentences that are too short to be read by themselves', () => {
  expect(linesOf(speak('Yes. No. Stop. Why? I do not know.', 0.05))[0]?.join(' ')).toContain('Yes. No.')
})

test('joins Japanese without spaces, and begins no line with its punctuation', () => {
  const text =
    '私たちは毎朝湖で泳ぎます。水はとても冷たいですが、気持ちがいいです。風邪をひいたことは一度もありません。'
  const words = Array.from(text, (character, index) => ({
    text: character,
    startSeconds: index * 0.15,
    endSeconds: (index + 1) * 0.15,
  }))
  const lines = linesOf(words).flat()
  expect(lines.join('')).toBe(text)
  expect(lines.filter((line) => /^[。、]/.test(line))).toEqual([])
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(18)
})

test('keeps spaces in Korean, and none before punctuation', () => {
  expect(linesOf(speak('우리는 매일 아침 수영합니다 .'))).toEqual([['우리는 매일 아침 수영합니다.']])
})

test('shows a short cue as long as it takes to read', () => {
  expect(layOutCues([{ text: 'Yes.', startSeconds: 1, endSeconds: 1.2 }])).toEqual([
    { startSeconds: 1, endSeconds: 1.8, text: 'Yes.', settings: '' },
  ])
})

test('escapes what would be markup', () => {
  expect(layOutCues([{ text: '<b>&-->', startSeconds: 0, endSeconds: 1 }])[0]?.text).toBe(
    '&lt;b&gt;&amp;--&gt;',
  )
})

test('returns no cues for silence', () => {
  expect(layOutCues([])).toEqual([])
  expect(layOutCues([{ text: ' \0\n', startSeconds: 0, endSeconds: 1 }])).toEqual([])
})

const alphabets = [
  'abcdefghij',
  'ÄÖé',
  '日本語私東京',
  'ひらがなカナ',
  '한국어말',
  'กขคงจ',
  '.,!?。、「」()',
  '<>&-',
  '👍🏽',
  ' \n\0',
]
const letters = fc.constantFrom(...alphabets.flatMap((alphabet) => Array.from(alphabet)))
const word = fc.oneof(
  { weight: 20, arbitrary: fc.array(letters, { minLength: 1, maxLength: 12 }).map((all) => all.join('')) },
  { weight: 1, arbitrary: fc.array(letters, { minLength: 40, maxLength: 200 }).map((all) => all.join('')) },
)

const timed = fc
  .array(
    fc.record({
      text: word,
      pause: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3, noNaN: true })),
      seconds: fc.double({ min: 0, max: 1.5, noNaN: true }),
    }),
    { maxLength: 60 },
  )
  .map((words) => {
    let at = 0
    return words.map(({ text, pause, seconds }) => {
      const startSeconds = at + pause
      at = startSeconds + seconds
      return { text, startSeconds, endSeconds: at }
    })
  })

/** Times as no recognizer should give them. */
const odd = fc.array(
  fc.record({
    text: word,
    startSeconds: fc.double({ min: -10, max: 100 }),
    endSeconds: fc.double({ min: -10, max: 10_000 }),
  }),
  { maxLength: 60 },
)

const bare = (text: string) => text.replaceAll(/[\s\p{Cc}]/gu, '')
const isWide = (character: string) =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f]/u.test(
    character,
  )

test('no text is lost, and cues follow each other, whatever the times are', () => {
  fc.assert(
    fc.property(fc.oneof(timed, odd), (words) => {
      const cues = layOutCues(words)
      expect(bare(cues.map(({ text }) => plainTextOf(text)).join(''))).toBe(
        bare(words.map(({ text }) => text).join('')),
      )
      for (const [index, { startSeconds, endSeconds }] of cues.entries()) {
        expect(startSeconds).toBeGreaterThanOrEqual(cues[index - 1]?.endSeconds ?? 0)
        expect(endSeconds).toBeGreaterThan(startSeconds)
      }
    }),
  )
})

test('cues have at most two lines that fit, last at most 7 seconds, and less than 0.8 only before another one', () => {
  fc.assert(
    fc.property(fc.oneof(timed, odd), (words) => {
      const cues = layOutCues(words)
      for (const [index, { startSeconds, endSeconds, text }] of cues.entries()) {
        const lines = plainTextOf(text).split('\n')
        expect(lines.length).toBeLessThanOrEqual(2)
        for (const line of lines) {
          const characters = Array.from(new Intl.Segmenter('en').segment(line), ({ segment }) => segment)
          const wide = characters.filter(isWide).length
          expect(characters.length - wide + (wide * 7) / 3).toBeLessThanOrEqual(42.001)
        }
        expect(endSeconds - startSeconds).toBeLessThanOrEqual(7.001)
        const isFollowed = cues[index + 1]?.startSeconds === endSeconds
        expect(isFollowed || endSeconds - startSeconds >= 0.799).toBe(true)
      }
    }),
  )
})

test('browsers and the editor read the cues as they are', () => {
  fc.assert(
    fc.property(timed, (words) => {
      const cues = layOutCues(words)
      const read = parseCaptions(formatVtt(cues)).cues
      expect(read.map(({ startSeconds, text }) => [startSeconds, text])).toEqual(
        cues.map(({ startSeconds, text }) => [startSeconds, text]),
      )
    }),
  )
})

test('lays out four hours in seconds of CPU time, not minutes', () => {
  const words = speak('the quick brown fox jumps over the lazy dog, and so on. '.repeat(4000).trim())
  const before = process.cpuUsage()
  expect(layOutCues(words).length).toBeGreaterThan(1000)
  expect(process.cpuUsage(before).user).toBeLessThan(15_000_000)
})
