import { expect, test } from 'vitest'
import { isImplausible, noFrames, type FrameCounts } from './frame-counts.ts'
import { type Edit, presentedRange } from './outline.ts'

const clocks = { movieTicks: 1000, trackTicks: 12_800, isFragmented: false }
const edit = (ticks: number, from: number, rate = 1): Edit => ({ ticks, from, rate })

test.each<[what: string, edits: Edit[], startSeconds: number, endSeconds: number | null]>([
  ['no list', [], 0, null],
  ['the whole track', [edit(10_000, 1024)], 0, 10],
  ['a delay', [edit(1500, -1), edit(10_000, 0)], 1.5, 11.5],
  ['two delays', [edit(1500, -1), edit(500, -1), edit(10_000, 0)], 2, 12],
  ['a duration of zero', [edit(0, 1024)], 0, null],
  ['a third of a second, rounded to track ticks', [edit(333, 0)], 0, 4262 / 12_800],
])('an edit list with %s presents one range', (_, edits, startSeconds, endSeconds) => {
  expect(presentedRange(edits, clocks)).toEqual({ startSeconds, endSeconds })
})

test.each<[what: string, edits: Edit[]]>([
  ['two ranges', [edit(1000, 0), edit(1000, 40_000)]],
  ['a gap after a range', [edit(1000, 0), edit(1000, -1)]],
  ['another speed', [edit(1000, 0, 0.5)]],
  ['a still frame', [edit(1000, 0, 0)]],
  ['only a gap', [edit(1000, -1)]],
])('an edit list with %s is unsupported', (_, edits) => {
  expect(presentedRange(edits, clocks)).toBe('unsupported')
})

test('ignores edit durations of fragmented recordings, and rejects a timescale of zero', () => {
  const inFragments = { ...clocks, isFragmented: true }
  expect(presentedRange([edit(1500, -1), edit(40, 0)], inFragments)).toEqual({
    startSeconds: 1.5,
    endSeconds: null,
  })
  expect(presentedRange([edit(40, 0)], { ...clocks, movieTicks: 0 })).toBe('unsupported')
})

const many = 50_000_000

test.each<[what: string, counts: Partial<FrameCounts>, sizeBytes: number, isImplausibleTable: boolean]>([
  [
    'a video of ten hours',
    { stszFrames: 2_160_000, sttsFrames: 2_160_000, maxFramesPerChunk: 30 },
    1e9,
    false,
  ],
  [
    'an hour of PCM samples',
    { stszFrames: many, sttsFrames: many, commonFrameBytes: 4, isPcm: true },
    1000,
    false,
  ],
  [
    'a short video with wrong counts',
    { stszFrames: 250, sttsFrames: 999_999, maxFramesPerChunk: 70_000 },
    1e5,
    false,
  ],
  [
    'more sizes than the box has entries',
    { stszFrames: many, sttsFrames: many, isTruncated: true },
    1e9,
    true,
  ],
  ['more bytes than the file has', { stszFrames: 2e6, sttsFrames: 2e6, commonFrameBytes: 1 }, 1.9e6, true],
  ['more times than sizes', { stszFrames: 250, sttsFrames: many }, 1e9, true],
  [
    'chunks of more frames than the track',
    { stszFrames: 250, sttsFrames: 250, maxFramesPerChunk: many },
    1e9,
    true,
  ],
  ['more frames than any video has', { stszFrames: many, sttsFrames: many, commonFrameBytes: 1 }, 1e9, true],
])('sample tables with %s', (_, counts, sizeBytes, isImplausibleTable) => {
  expect(isImplausible({ ...noFrames, ...counts }, sizeBytes)).toBe(isImplausibleTable)
})
