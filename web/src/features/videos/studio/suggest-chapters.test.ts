import type { Cue } from '@kinora/contract/videos/caption-cues.ts'
import { chapterErrors } from '@kinora/contract/videos/chapters.ts'
import { expect, test } from 'vitest'
import { suggestChapters } from './suggest-chapters.ts'

/** Cues of five seconds that speak about each topic for two minutes. */
function speakOf(topics: readonly string[][], pauseSeconds = 0): Cue[] {
  let at = 0
  return topics.flatMap((words) => {
    at += pauseSeconds
    return Array.from({ length: 24 }, (_, n) => {
      const startSeconds = at
      at += 5
      const [a, b, c] = [0, 1, 2].map((each) => words[(n + each) % words.length])
      return {
        startSeconds,
        endSeconds: at,
        text: `and so the ${a} is with ${b} and ${c} here`,
        settings: '',
      }
    })
  })
}

const dough = ['flour', 'water', 'dough', 'yeast', 'kneading']
const oven = ['oven', 'stone', 'steam', 'crust', 'temperature']
const table = ['butter', 'knife', 'slices', 'guests', 'table']

test('begins a chapter where the topic changes, and names it by its words', () => {
  const chapters = suggestChapters(speakOf([dough, oven, table], 3), 369)
  expect(chapters.map(({ startSeconds }) => startSeconds)).toEqual([0, 126, 249])
  expect(chapters[0]?.title).toMatch(/^(Flour|Water|Dough|Yeast|Kneading), /)
  expect(oven.join()).toContain(chapters[1]?.title.toLowerCase().split(', ')[0])
  for (const { title } of chapters) expect(title).not.toMatch(/\b(and|so|the|is|with)\b/i)
  const { ofEach, isShort } = chapterErrors(chapters, 369)
  expect([ofEach.filter(Boolean), isShort]).toEqual([[], false])
})

test('suggests none for a single topic, a short video and silence', () => {
  expect(suggestChapters(speakOf([dough]), 120)).toEqual([])
  expect(suggestChapters(speakOf([dough, oven]).slice(0, 10), 50)).toEqual([])
  expect(suggestChapters([], 3600)).toEqual([])
})

test('suggests at most twelve chapters for three hours, in a moment', () => {
  const topics = Array.from({ length: 90 }, (_, n) =>
    Array.from({ length: 5 }, (__, word) => `topic${n}word${word}`),
  )
  const before = process.cpuUsage()
  const chapters = suggestChapters(speakOf(topics), 10_800)
  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  expect(chapters.length).toBeGreaterThan(5)
  expect(chapters.length).toBeLessThanOrEqual(12)
})
