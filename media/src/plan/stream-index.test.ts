import { expect, test } from 'vitest'
import { type Frame, SAMPLED_FRAMES, summarize } from './stream-index.ts'
import { MAX_COPIED_SEGMENT_BYTES } from './timeline.ts'

const framesAt = (times: number[]): Frame[] =>
  times.map((timestamp, i) => ({ timestamp, duration: 0, size: 1000, isKey: i === 0 }))
const rateOf = (times: number[], spots: number[][] = []) => {
  const { framesPerSecond, isVariableFrameRate } = summarize([0], framesAt(times), 1e4, spots.map(framesAt))
  return { framesPerSecond, isVariableFrameRate }
}
/** File order: every fourth frame precedes the three that are presented before it. */
const reordered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => from + (i === 0 ? 0 : i + (i % 4 === 1 ? 3 : -1)) / 25)

test.each([0, 1, 2, 3])('reordered frames are no gap (%i)', (more) => {
  const rate = rateOf(reordered(SAMPLED_FRAMES), [reordered(300 + more, 500)])
  expect(rate.isVariableFrameRate).toBe(false)
  expect(rate.framesPerSecond).toBeCloseTo(25, 6)
})

test('detects a variable frame rate late in a long video', () => {
  const even = reordered(SAMPLED_FRAMES)
  const slower = Array.from({ length: 300 }, (_, i) => 500 + i / 10)
  const rate = rateOf(even, [slower])
  expect(rate.isVariableFrameRate).toBe(true)
  expect(rate.framesPerSecond).toBeCloseTo(25, 6)
})

test.each([
  // two frames around each start of a segment, one of them repeated
  ['rare frames', [0, 3.967, 4.033, 7.967, 8.033, 11.967], 3],
  // within a burst the rate is that of its frames
  ['bursts', [0, 0.02, 0.04, 0.06, 5, 5.02, 5.04, 5.06], 50],
  // a phone that occasionally drops a frame
  [
    'a phone',
    Array.from({ length: 300 }, (_, i) => Math.round(i * 33.333 + (i % 50 === 0 ? 9 : 0)) / 1000),
    30.303,
  ],
])('the frame rate of %s is that of most frames', (_, times, expected) => {
  const { framesPerSecond, isVariableFrameRate } = rateOf(times)
  expect(isVariableFrameRate).toBe(true)
  expect(framesPerSecond).toBeCloseTo(expected, 2)
})

/** One keyframe per second, 24 frames per second, at the given bit rate. */
function videoOf(bitsPerSecond: number, seconds = 60) {
  const frames = Array.from({ length: seconds * 24 }, (_, i) => ({
    timestamp: i / 24,
    duration: 1 / 24,
    size: bitsPerSecond / 8 / 24,
    isKey: i % 24 === 0,
  }))
  const keys = frames.filter(({ isKey }) => isKey).map(({ timestamp }) => timestamp)
  return summarize(keys, frames, seconds)
}

test.each([
  [10e6, 4],
  [30e6, 3],
  [60e6, 2],
  [100e6, 1],
])('a video of %d bits per second is cut every %d seconds', (bitsPerSecond, seconds) => {
  const { cutsMicros, longestGapSeconds, peakBitrate } = videoOf(bitsPerSecond)
  expect([cutsMicros[1], longestGapSeconds]).toEqual([seconds * 1e6, seconds])
  expect((longestGapSeconds * peakBitrate) / 8).toBeLessThanOrEqual(MAX_COPIED_SEGMENT_BYTES)
})
