import type { UploadQuota } from '@kinora/contract/videos/uploads.ts'
import { expect, test } from 'vitest'
import { type Growth, timeLeft } from './time-left.ts'

const unlimited: UploadQuota = {
  quotaBytes: null,
  quotaVideos: null,
  quotaHours: null,
  quotaDailyBytes: null,
  quotaVideoMinutes: null,
  usedBytes: 0,
  usedVideos: 0,
  usedHours: 0,
  usedDailyBytes: 0,
  dailyBytesFreeAt: null,
}
const megabyte = 1024 * 1024
const growth: Growth = {
  quota: unlimited,
  maxBytes: 10_000_000 * megabyte,
  positionSeconds: 0,
  recordedBytes: 0,
  usualBytesPerSecond: megabyte,
}

test('a video has at most twelve hours', () => {
  expect(timeLeft(growth)).toEqual({ seconds: 43_140, limit: 'longest' })
  expect(timeLeft({ ...growth, quota: undefined, positionSeconds: 3600 })).toEqual({
    seconds: 39_540,
    limit: 'longest',
  })
})

test.each([
  ['storage', { quotaBytes: 101 * megabyte, usedBytes: 40 * megabyte }, 60],
  ['day', { quotaDailyBytes: 51 * megabyte, usedDailyBytes: 20 * megabyte }, 30],
  ['hours', { quotaHours: 2, usedHours: 1.5 }, 1797],
  ['length', { quotaVideoMinutes: 10 }, 597],
] as const)('the quota of %s limits it', (limit, quota, seconds) => {
  expect(timeLeft({ ...growth, quota: { ...unlimited, ...quota } })).toEqual({ seconds, limit })
})

test('the size that the site accepts limits it, at the rate so far', () => {
  const grown = { positionSeconds: 100, recordedBytes: 50 * megabyte }
  expect(timeLeft({ ...growth, ...grown, maxBytes: 101 * megabyte })).toEqual({ seconds: 100, limit: 'size' })
})

test('what is used up leaves nothing', () => {
  const quota = { ...unlimited, quotaBytes: megabyte, usedBytes: 2 * megabyte }
  expect(timeLeft({ ...growth, quota }).seconds).toBe(0)
})
