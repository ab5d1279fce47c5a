import { expect, it } from 'vitest'
import { nextLookMs, type TimedPremiere } from './api.ts'

const at = (secondsAgo: number, isStream: boolean) =>
  nextLookMs({
    startsAt: new Date(Date.now() - secondsAgo * 1000).toISOString(),
    offsetMs: 0,
    isStream,
  } as unknown as TimedPremiere)

it('asks rarely whether a stream has begun that is late, and often around its time', () => {
  expect(at(0, false)).toBeLessThan(1001)
  expect(at(-600, true)).toBeLessThan(8001)
  expect(at(240, true)).toBeLessThan(8001)
  expect(at(3600, true)).toBeGreaterThanOrEqual(30_000)
})
