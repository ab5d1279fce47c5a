import { expect, test } from 'vitest'
import { bdRate } from './bd-rate.ts'

const curve = (factor: number, scores = [10, 13, 16, 18]) =>
  scores.map((score) => ({ bitrate: factor * 100_000 * 1.2 ** score, score }))

test('states the bits that a curve needs more or fewer for the same score', () => {
  expect(bdRate(curve(1), curve(1))).toBeCloseTo(0)
  expect(bdRate(curve(1), curve(1.25))).toBeCloseTo(25)
  expect(bdRate(curve(1), curve(0.8))).toBeCloseTo(-20)
})

test('compares the scores that both curves reach, and does not depend on the order of points', () => {
  expect(bdRate(curve(1), curve(1.1, [17, 12, 20, 14]))).toBeCloseTo(10)
  expect(bdRate(curve(1), curve(1, [30, 40]))).toBeNaN()
  expect(bdRate([], curve(1))).toBeNaN()
})

test('is not misled by points that cost more than better ones', () => {
  expect(bdRate(curve(1), [...curve(1.1), { bitrate: 1e9, score: 12 }])).toBeCloseTo(10)
})

test('follows a curve that bends', () => {
  const bent = [10, 12, 14, 16].map((score) => ({
    bitrate: 1000 * 1.1 ** (score + (score - 10) ** 2 / 4),
    score,
  }))
  expect(
    bdRate(
      bent,
      bent.map(({ bitrate, score }) => ({ bitrate: bitrate * 2, score })),
    ),
  ).toBeCloseTo(100)
})
