import { expect, it } from 'vitest'
import {
  complement,
  indexAt,
  lengthOf,
  type Ranges,
  skipFrom,
  snapToFrame,
  subtract,
  toCutSeconds,
  unite,
} from './ranges.ts'

const ranges = (...pairs: [number, number][]): Ranges =>
  pairs.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds }))
const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })
const shown = (list: Ranges) => list.map(({ startSeconds, endSeconds }) => `${startSeconds}-${endSeconds}`)

it('unites ranges that overlap or touch, and keeps others in order', () => {
  const known = ranges([10, 20], [30, 40])
  expect(shown(unite(known, range(22, 25)))).toEqual(['10-20', '22-25', '30-40'])
  expect(shown(unite(known, range(15, 35)))).toEqual(['10-40'])
  expect(shown(unite(known, range(20, 30)))).toEqual(['10-40'])
  expect(shown(unite(known, range(0, 5)))).toEqual(['0-5', '10-20', '30-40'])
  expect(shown(unite(known, range(22, 22)))).toEqual(['10-20', '30-40'])
})

it('takes a range out of others', () => {
  const known = ranges([10, 20], [30, 40])
  expect(shown(subtract(known, range(12, 14)))).toEqual(['10-12', '14-20', '30-40'])
  expect(shown(subtract(known, range(15, 35)))).toEqual(['10-15', '35-40'])
  expect(shown(subtract(known, range(0, 50)))).toEqual([])
  expect(shown(subtract(known, range(20, 30)))).toEqual(['10-20', '30-40'])
})

it('has what is kept as the complement of what is removed, and back', () => {
  const removed = ranges([0, 8], [20, 26], [90, 95])
  const kept = complement(removed, 95)
  expect(shown(kept)).toEqual(['8-20', '26-90'])
  expect(complement(kept, 95)).toEqual(removed)
  expect(shown(complement([], 95))).toEqual(['0-95'])
  expect(complement(ranges([0, 95]), 95)).toEqual([])
  expect(lengthOf(kept)).toBe(76)
})

it('maps times of the source to those of the cut', () => {
  const removed = ranges([0, 8], [20, 26])
  expect([0, 4, 8, 10, 20, 23, 26, 30].map((seconds) => toCutSeconds(removed, seconds))).toEqual([
    0, 0, 0, 2, 12, 12, 12, 16,
  ])
})

it('continues after a removed range, and at its last moment stays', () => {
  const removed = ranges([20, 26])
  expect([19.9, 20, 25.9, 26].map((seconds) => skipFrom(removed, seconds))).toEqual([
    undefined,
    26,
    26,
    undefined,
  ])
  expect([19, 20, 23, 26, 27].map((seconds) => indexAt(removed, seconds))).toEqual([-1, 0, 0, 0, -1])
})

it('snaps to frames, and to the end of the video', () => {
  const rate = { framesPerSecond: 30_000 / 1001, durationSeconds: 10.02 }
  expect(snapToFrame(1.02, rate)).toBeCloseTo(31 / rate.framesPerSecond, 5)
  expect(snapToFrame(10.01, rate)).toBe(10.02)
  expect(snapToFrame(99, rate)).toBe(10.02)
  expect(snapToFrame(-1, rate)).toBe(0)
  expect(snapToFrame(snapToFrame(3.337, rate), rate)).toBe(snapToFrame(3.337, rate))
})
