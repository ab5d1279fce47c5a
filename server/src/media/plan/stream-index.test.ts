import { expect, test } from 'vitest'
import { type Frame, SAMPLED_FRAMES, summarise } from './stream-index.ts'
import { MAX_COPIED_SEGMENT_BYTES } from './timeline.ts'

const framesAt = (times: number[]): Frame[] =>
  times.map((timestamp, i) => ({ timestamp, duration: 0, size: 1000, isKey: i === 0 }))
const rateOf = (times: number[], spots: number[][] = []) => {
  const { framesPerSecond, isVariableFrameRate } = summarise([0], framesAt(times), 1e4, spots.map(framesAt))
  return { framesPerSecond, isVariableFrameRate }
}
/** As they lie in the file: every fourth frame comes before the three that are shown before it. */
const reordered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => from + (i === 0 ? 0 : i + (i % 4 === 1 ? 3 : -1)) / 25)

test.each([0, 1, 2, 3])('frames between which others would be shown are no gap (%i)', (more) => {
  const rate = rateOf(reordered(SAMPLED_FRAMES), [reordered(300 + more, 500)])
  expect(rate.isVariableFrameRate).toBe(false)
  expect(rate.framesPerSecond).toBeCloseTo(25, 6)
})

test('frames that come unevenly later in a long video are noticed', () => {
  const even = reordered(SAMPLED_FRAMES)
  const slower = Array.from({ length: 300 }, (_, i) => 500 + i / 10)
  const rate = rateOf(even, [slower])
  expect(rate.isVariableFrameRate).toBe(true)
  expect(rate.framesPerSecond).toBeCloseTo(25, 6)
})

test.each([
  // two pictures around each of the places where segments begin, and one that is shown again
  ['few and far between', [0, 3.967, 4.033, 7.967, 8.033, 11.967], 3],
  // a burst is as fast as its frames come
  ['bursts', [0, 0.02, 0.04, 0.06, 5, 5.02, 5.04, 5.06], 50],
  // a phone, now and then a frame late
  [
    'a phone',
    Array.from({ length: 300 }, (_, i) => Math.round(i * 33.333 + (i % 50 === 0 ? 9 : 0)) / 1000),
    30.303,
  ],
])('the rate of %s is that at which most frames are shown', (_, times, expected) => {
  const { framesPerSecond, isVariableFrameRate } = rateOf(times)
  expect(isVariableFrameRate).toBe(true)
  expect(framesPerSecond).toBeCloseTo(expected, 2)
})

/** A keyframe each second, 24 frames a second, at so many bits per second. */
function videoOf(bitsPerSecond: number, seconds = 60) {
  const frames = Array.from({ length: seconds * 24 }, (_, i) => ({
    timestamp: i / 24,
    duration: 1 / 24,
    size: bitsPerSecond / 8 / 24,
    isKey: i % 24 === 0,
  }))
  const keys = frames.filter(({ isKey }) => isKey).map(({ timestamp }) => timestamp)
  return summarise(keys, frames, seconds)
}

test.each([
  [10e6, 4],
  [30e6, 3],
  [60e6, 2],
  [100e6, 1],
])('%d bits per second are cut every %d seconds', (bitsPerSecond, seconds) => {
  const { cutsMicros, longestGapSeconds, peakBitrate } = videoOf(bitsPerSecond)
  expect([cutsMicros[1], longestGapSeconds]).toEqual([seconds * 1e6, seconds])
  expect((longestGapSeconds * peakBitrate) / 8).toBeLessThanOrEqual(MAX_COPIED_SEGMENT_BYTES)
})
