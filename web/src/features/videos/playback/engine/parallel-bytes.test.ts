import { expect, it } from 'vitest'
import { type Load, parallelBytes } from './parallel-bytes.ts'

const load = (loaded: number, first: number, end: number): Load => ({ loaded, loading: { first, end } })
const video = load(100_000, 1000, 2000)

it('counts what arrived at the same time', () => {
  expect(parallelBytes(video, [load(8000, 1000, 2000)])).toBe(8000)
  expect(parallelBytes(video, [load(8000, 500, 1500), load(6000, 1200, 1500)])).toBe(10_000)
})

it('counts nothing that arrived before or after, or has not begun to', () => {
  expect(parallelBytes(video, [load(8000, 100, 900), load(8000, 2000, 2500), load(0, 0, 0)])).toBe(0)
})

it('counts what has arrived so far', () => {
  expect(parallelBytes(video, [load(8000, 1500, 0)])).toBe(8000)
})
