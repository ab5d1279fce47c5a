import { expect, test } from 'vitest'
import { bitratesOf } from './measured-bitrates.ts'

test('states the largest rate of a run of segments, and the average', () => {
  const segments = [1, 3, 1].map((megabytes) => ({ seconds: 4, sizeBytes: megabytes * 1_000_000 }))
  expect(bitratesOf(segments)).toEqual({ peakBps: 6_000_000, averageBps: Math.ceil(40_000_000 / 12) })
})

test.each([0, 1 / 90_000, 1 / 60])('stays an integer of the database for a frame of %d s', (seconds) => {
  const maxBps = 2 ** 31 - 1
  expect(bitratesOf([{ seconds, sizeBytes: 30_000_000 }])).toEqual({ peakBps: maxBps, averageBps: maxBps })
})
