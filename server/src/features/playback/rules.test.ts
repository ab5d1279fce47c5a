import { expect, test } from 'vitest'
import { brokenOffReason, chooseEvictions } from './rules.ts'

const track = (name: string, sizeBytes: number, usedAt: string | null) => ({
  videoId: 'v',
  track: name,
  sizeBytes,
  usedAt: usedAt === null ? null : new Date(usedAt),
})

test('evicts what was asked for the longest ago, and no more than needed', () => {
  const tracks = [
    track('720', 500, '2026-03-01'),
    track('240', 100, '2026-01-01'),
    track('left-behind', 50, null),
    track('480', 300, '2026-02-01'),
  ]
  const names = (bytes: number) => chooseEvictions(tracks, bytes).map((chosen) => chosen.track)
  expect(names(0)).toEqual([])
  expect(names(1)).toEqual(['left-behind'])
  expect(names(151)).toEqual(['left-behind', '240', '480'])
  expect(names(10_000)).toHaveLength(4)
})

test('says where a file breaks off', () => {
  expect(brokenOffReason(125.4)).toBe('The file breaks off at 02:05; it plays up to there.')
})
