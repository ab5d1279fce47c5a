import { describe, expect, it } from 'vitest'
import {
  createSpeedometer,
  describePace,
  describeSent,
  describeTimeLeft,
  percentOf,
} from './upload-progress.ts'

const MB = 1_000_000

describe('speed and remaining time', () => {
  it('are unknown before the first measurements', () => {
    const measure = createSpeedometer()
    expect(measure(0, 100 * MB, 0)).toMatchObject({ bytesPerSecond: undefined, secondsLeft: undefined })
    expect(measure(1 * MB, 100 * MB, 500)).toMatchObject({ bytesPerSecond: undefined })
  })

  it('follow a steady upload', () => {
    const measure = createSpeedometer()
    measure(0, 100 * MB, 0)
    measure(10 * MB, 100 * MB, 2000)
    expect(measure(20 * MB, 100 * MB, 4000)).toEqual({
      sentBytes: 20 * MB,
      totalBytes: 100 * MB,
      bytesPerSecond: 5 * MB,
      secondsLeft: 16,
    })
  })

  it('forget old measurements', () => {
    const measure = createSpeedometer()
    measure(0, 100 * MB, 0)
    for (let second = 1; second <= 10; second++) measure(second * MB, 100 * MB, second * 1000)
    let last = measure(10 * MB, 100 * MB, 10_000)
    for (let second = 1; second <= 10; second++)
      last = measure((10 + second * 4) * MB, 100 * MB, (10 + second) * 1000)
    expect(last.bytesPerSecond).toBe(4 * MB)
  })

  it('are unknown again during a stall', () => {
    const measure = createSpeedometer()
    measure(5 * MB, 100 * MB, 0)
    measure(5 * MB, 100 * MB, 6000)
    expect(measure(5 * MB, 100 * MB, 12_000)).toMatchObject({
      bytesPerSecond: undefined,
      secondsLeft: undefined,
    })
  })

  it('exclude bytes from before resuming, and restart with the upload', () => {
    const measure = createSpeedometer()
    measure(50 * MB, 100 * MB, 0)
    expect(measure(52 * MB, 100 * MB, 2000).bytesPerSecond).toBe(1 * MB)
    measure(0, 100 * MB, 3000)
    expect(measure(4 * MB, 100 * MB, 5000).bytesPerSecond).toBe(2 * MB)
  })
})

it('percentages are rounded down', () => {
  expect(percentOf({ sentBytes: 0, totalBytes: 0 })).toBe(0)
  expect(percentOf({ sentBytes: 999, totalBytes: 1000 })).toBe(99)
  expect(percentOf({ sentBytes: 1000, totalBytes: 1000 })).toBe(100)
  expect(percentOf({ sentBytes: 1200, totalBytes: 1000 })).toBe(100)
})

it.each([
  [3, 'a few seconds left'],
  [31, 'about 40 seconds left'],
  [58, 'about 1 minute left'],
  [170, 'about 3 minutes left'],
  [3600, 'about 1 hour left'],
  [7900, 'about 2 hours left'],
])('%d seconds are %s', (seconds, text) => {
  expect(describeTimeLeft(seconds)).toBe(text)
})

it('formats sent bytes and speed, and omits unknown values', () => {
  const progress = { sentBytes: 880 * MB, totalBytes: 1420 * MB, bytesPerSecond: 3 * MB, secondsLeft: 180 }
  expect(describeSent(progress)).toBe('880 MB of 1.42 GB')
  expect(describePace(progress)).toBe('3.00 MB/s · about 3 minutes left')
  expect(describePace({ ...progress, bytesPerSecond: undefined, secondsLeft: undefined })).toBe('')
})
