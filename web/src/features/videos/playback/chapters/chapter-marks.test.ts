import { expect, it } from 'vitest'
import { indexAt } from '../state/index-at.ts'
import { chapterMask, chapterTitleAt } from './chapter-marks.ts'

const chapters = [
  { title: 'Ebb', startSeconds: 0, endSeconds: 30 },
  { title: 'Flood', startSeconds: 30, endSeconds: 120 },
]

it.each([
  [0, 'Ebb'],
  [29.99, 'Ebb'],
  [30, 'Flood'],
  [500, 'Flood'],
])('finds the chapter at %d s', (seconds, title) => {
  expect(chapterTitleAt(chapters, seconds)).toBe(title)
})

it('finds none before the first chapter', () => {
  expect([indexAt(chapters.slice(1), 5), chapterTitleAt([], 5)]).toEqual([-1, undefined])
})

it('leaves a gap in the seek bar where a chapter begins', () => {
  expect(chapterMask(chapters, 120)).toBe(
    'linear-gradient(to right, #000 calc(25.000% - 1px), #0000 calc(25.000% - 1px) calc(25.000% + 1px), #000 calc(25.000% + 1px))',
  )
  expect([chapterMask([], 120), chapterMask(chapters, 0), chapterMask(chapters, 20)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
