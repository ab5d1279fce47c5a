import { expect, test } from 'vitest'
import { wordsOf } from './recognized-words.ts'

const rounded = (...given: Parameters<typeof wordsOf>) =>
  wordsOf(...given).map(({ text, startSeconds, endSeconds }) => [
    text,
    Number(startSeconds.toFixed(2)),
    Number(endSeconds.toFixed(2)),
  ])

test('joins the tokens of Parakeet to words, with their times', () => {
  const result = {
    text: 'Hello, world.',
    tokens: [' He', 'llo', ',', ' wor', 'ld', '.'],
    timestamps: [0.4, 0.56, 0.8, 1.2, 1.36, 1.6],
    durations: [0.16, 0.24, 0.08, 0.16, 0.24, 0.08],
  }
  expect(rounded(result, 3)).toEqual([
    ['Hello,', 0.4, 0.88],
    ['world.', 1.2, 1.68],
  ])
})

test('keeps the characters of SenseVoice apart, and drops its tags', () => {
  const result = {
    text: '开放时间 9点',
    tokens: ['<|zh|>', '开', '放', '▁OK', '9', '点'],
    timestamps: [0, 0.5, 0.7, 1, 2.1, 2.3],
  }
  expect(rounded(result, 3)).toEqual(
    [
      ['开', 0.5, 0.7],
      ['放', 0.7, 0.9],
      ['OK9点', 1, 2.5],
    ].map((row) => row),
  )
})

test('spreads the words of Whisper over their sentences by length', () => {
  const result = {
    text: ' Good morning. Yes.',
    tokens: [' Good', ' morning', '.', ' Yes', '.'],
    timestamps: [],
    segment_texts: [' Good morning.', ' Yes.'],
    segment_timestamps: [1, 4],
    segment_durations: [2.4, 9],
  }
  expect(rounded(result, 5)).toEqual([
    ['Good', 1, 1.8],
    ['morning.', 1.8, 3.4],
    ['Yes.', 4, 5],
  ])
})

test('spreads words over the audio where nothing else is known', () => {
  expect(rounded({ text: 'ab cd', tokens: [' ab', ' cd'] }, 2)).toEqual([
    ['ab', 0, 1],
    ['cd', 1, 2],
  ])
  expect(wordsOf({ text: ' ' }, 2)).toEqual([])
})

test('shortens a phrase that is repeated again and again', () => {
  const text = (phrase: string, times: number) => Array.from({ length: times }, () => phrase).join(' ')
  const words = (spoken: string) => wordsOf({ text: spoken }, 10).map((word) => word.text)
  expect(words(`before ${text('Thank you.', 20)} after`).join(' ')).toBe(
    `before ${text('Thank you.', 4)} after`,
  )
  expect(words(text('no', 4))).toHaveLength(4)
  expect(words(text('no', 400))).toHaveLength(4)
})
