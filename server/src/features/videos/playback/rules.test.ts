import { expect, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { chooseEvictions, countRuns, damageReason, runOf, runRange } from './rules.ts'

const now = new Date('2026-03-01T12:00:00Z')

const track = (name: string, sizeBytes: number, usedAt: string | null, wasRequested = true) => ({
  videoId: 'v',
  folder: SEGMENT_FORMAT,
  track: name,
  sizeBytes,
  usedAt: usedAt === null ? null : new Date(usedAt),
  wasRequested: wasRequested && usedAt !== null,
})

test('evicts the least recently used tracks, and no more than needed', () => {
  const tracks = [
    track('720', 500, '2026-03-01'),
    track('240', 100, '2026-01-01'),
    track('left-behind', 50, null),
    track('480', 300, '2026-02-01'),
  ]
  const names = (bytes: number) => chooseEvictions(tracks, bytes, now).map((chosen) => chosen.track)
  expect(names(0)).toEqual([])
  expect(names(1)).toEqual(['left-behind'])
  expect(names(151)).toEqual(['left-behind', '240', '480'])
  expect(names(10_000)).toHaveLength(4)
})

test('evicts nothing that is being watched, but unwatched tracks of a new upload', () => {
  const tracks = [
    track('watched', 500, '2026-03-01T11:48:00Z'),
    track('left', 100, '2026-03-01T11:40:00Z'),
    track('made at once', 100, '2026-03-01T11:59:00Z', false),
  ]
  expect(chooseEvictions(tracks, 10_000, now).map((chosen) => chosen.track)).toEqual(['left', 'made at once'])
})

test('evicts other segment formats first, even if the video is being watched', () => {
  const tracks = [
    track('left-behind', 50, null),
    { ...track('240', 100, '2026-03-01T11:59:00Z'), folder: 'older' },
    track('240', 100, '2026-03-01T11:59:00Z'),
  ]
  const names = (bytes: number) =>
    chooseEvictions(tracks, bytes, now).map(({ folder, track: name }) => `${folder}/${name}`)
  expect(names(1)).toEqual(['older/240'])
  expect(names(10_000)).toEqual(['older/240', `${SEGMENT_FORMAT}/left-behind`])
})

test('reports the ranges of damage and the truncation of a file', () => {
  const timeline = { zeroSeconds: 2, durationSeconds: 125.4 }
  const gap = { fromSeconds: 12, toSeconds: 67.5 }
  const others = [80, 90, 100].map((fromSeconds) => ({ fromSeconds, toSeconds: fromSeconds + 2 }))
  const reason = (isBrokenOff: boolean, videoGaps?: (typeof gap)[]) =>
    damageReason({ isBrokenOff, ...(videoGaps ? { videoGaps } : {}) }, timeline)
  expect(reason(false)).toBeNull()
  expect(reason(true)).toBe('The file is truncated at 02:05 and plays up to there.')
  const isDamaged = 'The file is damaged from 00:10 to 01:05; the picture freezes there.'
  expect(reason(false, [gap])).toBe(isDamaged)
  expect(reason(true, [gap])).toBe(`${isDamaged} The file is truncated at 02:05 and plays up to there.`)
  const beginning = { fromSeconds: -4, toSeconds: 2 }
  const isLost = 'The file is damaged in its first 00:06; playback starts after that.'
  expect(reason(false, [beginning])).toBe(isLost)
  expect(reason(false, [beginning, gap])).toBe(`${isLost} ${isDamaged}`)
  expect(reason(false, [gap, ...others])).toBe(
    'The file is damaged from 00:10 to 01:05, from 01:18 to 01:20, from 01:28 to 01:30 and in 1 more places; the picture freezes there.',
  )
})

test('reports damaged audio to the owner', () => {
  const audioGaps = [{ fromSeconds: 12.1, toSeconds: 12.2 }]
  const timeline = { zeroSeconds: 2, durationSeconds: 60 }
  expect(damageReason({ isBrokenOff: true, audioGaps }, timeline)).toBe(
    'Its audio is damaged from 00:10 to 00:10 and silent there. The file is truncated at 01:00 and plays up to there.',
  )
  const truncated = [{ fromSeconds: 61, toSeconds: 70 }]
  expect(damageReason({ isBrokenOff: true, audioGaps: truncated }, timeline)).toBe(
    'The file is truncated at 01:00 and plays up to there.',
  )
  expect(damageReason({ isBrokenOff: false, audioGaps: truncated }, timeline)).toBe(
    'Its audio is damaged from 00:59 to 01:08 and silent there.',
  )
})

test('runs contain every segment of video and encoded audio once', () => {
  const planned = (pictures: number, ...audio: { segmentCount: number; isCopied: boolean }[]) =>
    countRuns({ timeline: { segmentCount: pictures }, audio })
  expect([1, 8, 9, 9000].map((pictures) => planned(pictures))).toEqual([1, 1, 2, 1125])
  expect(planned(9000, { segmentCount: 9013, isCopied: false })).toBe(1127)
  expect(planned(9000, { segmentCount: 9013, isCopied: true })).toBe(1125)
  const parts = Array.from({ length: planned(21) }, (_, run) => runRange({ segmentCount: 21 }, run))
  expect(parts).toEqual([
    { from: 0, to: 8 },
    { from: 8, to: 16 },
    { from: 16, to: 21 },
  ])
  expect([0, 7, 8, 20].map(runOf)).toEqual([0, 0, 1, 2])
  // audio that has ended before the run
  const { from, to } = runRange({ segmentCount: 7 }, 2)
  expect(from).toBeGreaterThanOrEqual(to)
})
