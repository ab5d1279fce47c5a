import { clipMaxSeconds, clipMinSeconds } from '@kinora/contract/watching/clip-limits.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClipRange, suggestedRange, windowAround, withEnd, withStart } from './clip-range.ts'

const range = (startSeconds: number, endSeconds: number): ClipRange => ({ startSeconds, endSeconds })

test('suggests half a minute from the position, or before the end', () => {
  expect(suggestedRange(730.04, 3600)).toEqual(range(730, 760))
  expect(suggestedRange(3599, 3600)).toEqual(range(3570, 3600))
  expect(suggestedRange(3, 12.39)).toEqual(range(0, 12.3))
})

test('an edge moves the other one where the clip would be too short or too long', () => {
  expect(withStart(range(10, 20), 15.26, 3600)).toEqual(range(15.3, 20))
  expect(withStart(range(10, 20), 40, 3600)).toEqual(range(40, 40 + clipMinSeconds))
  expect(withStart(range(600, 620), 0, 3600)).toEqual(range(0, clipMaxSeconds))
  expect(withEnd(range(10, 20), 5, 3600)).toEqual(range(5 - clipMinSeconds, 5))
  expect(withEnd(range(10, 20), 1000, 3600)).toEqual(range(1000 - clipMaxSeconds, 1000))
  expect(withEnd(range(10, 20), 5000, 3600)).toEqual(range(3600 - clipMaxSeconds, 3600))
})

test('a part stays within the video and its limits, whatever is entered', () => {
  const seconds = fc.double({ min: -100, max: 10_000, noNaN: true })
  const length = fc.double({ min: 2, max: 9000, noNaN: true })
  const edges = fc.array(fc.tuple(fc.constantFrom(withStart, withEnd), seconds), { maxLength: 8 })
  fc.assert(
    fc.property(length, seconds, edges, (duration, position, moves) => {
      let part = suggestedRange(position, duration)
      for (const [move, to] of moves) {
        part = move(part, to, duration)
        const { startSeconds, endSeconds } = part
        expect(startSeconds).toBeGreaterThanOrEqual(0)
        expect(endSeconds).toBeLessThanOrEqual(duration)
        expect(endSeconds - startSeconds).toBeGreaterThan(clipMinSeconds - 0.01)
        expect(endSeconds - startSeconds).toBeLessThan(clipMaxSeconds + 0.01)
      }
    }),
  )
})

test('the slider shows the part, and moves only where that leaves it', () => {
  const window = windowAround(range(730, 760), 3600)
  expect(window).toEqual(range(565, 925))
  expect(windowAround(range(900, 925), 3600, window)).toBe(window)
  expect(windowAround(range(900, 930), 3600, window)).not.toBe(window)
  expect(windowAround(range(0, 5), 60)).toEqual(range(0, 60))
})
