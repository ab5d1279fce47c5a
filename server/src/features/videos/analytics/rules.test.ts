import type { PlaybackReport } from '@kinora/contract/videos/analytics.ts'
import { expect, test } from 'vitest'
import { averageShareOf, mergeDays, numbersOf, retentionOf, toCsv, toSources } from './rules.ts'

const report: PlaybackReport = {
  isFirst: true,
  watchedSeconds: 20,
  parts: [0, 1, 1],
  source: 'search',
  captions: 'en',
  lines: 720,
}
const numbers = (fields: Partial<PlaybackReport> = {}) => {
  const found = numbersOf({ ...report, ...fields }, 10)
  if (!found) throw new Error('nothing was watched')
  return { ...found, videoId: 'a', day: '2026-05-01' }
}
const merged = (...reports: ReturnType<typeof numbers>[]) => {
  const [sum] = mergeDays(reports)
  if (!sum) throw new Error('there is nothing to merge')
  return sum
}

test('counts a part once per report, and at most three times the duration', () => {
  expect(numbers().retention.slice(0, 3)).toEqual([1, 1, 0])
  expect(numbers().watchedSeconds).toBe(20)
  expect(numbers({ watchedSeconds: 1e6 }).watchedSeconds).toBe(30)
})

test('counts no playback in which nothing was watched', () => {
  expect(numbersOf({ ...report, watchedSeconds: 0, parts: [] }, 10)).toBeUndefined()
})

test('counts a playback that ended within a part, or of which only a part is known', () => {
  expect(numbers({ watchedSeconds: 1, parts: [] }).playbacks).toBe(1)
  expect(numbers({ watchedSeconds: 0, parts: [3] }).playbacks).toBe(1)
})

test('counts the playback and its source in the first report only', () => {
  const sum = merged(numbers(), numbers({ isFirst: false, parts: [2] }))
  expect([sum.playbacks, sum.sources, sum.watchedSeconds]).toEqual([1, { search: 1 }, 40])
  expect(sum.retention.slice(0, 4)).toEqual([1, 1, 1, 0])
})

test('keeps the host of other sites only', () => {
  expect(numbers({ source: 'embed', host: 'example.org' }).sources).toEqual({ 'embed example.org': 1 })
  expect(numbers({ source: 'home', host: 'example.org' }).sources).toEqual({ home: 1 })
  expect(toSources([{ name: 'embed example.org', count: 2 }])).toEqual([
    { source: 'embed', host: 'example.org', playbacks: 2 },
  ])
})

test('counts names that are properties of every object', () => {
  const sum = merged(numbers({ captions: 'constructor' }), numbers({ captions: 'constructor' }))
  expect(sum.captions).toEqual({ constructor: 40 })
})

test('keeps days and videos apart', () => {
  const days = mergeDays([numbers(), { ...numbers(), day: '2026-05-02' }, { ...numbers(), videoId: 'b' }])
  expect(days).toHaveLength(3)
})

test('counts rare names beyond a hundred as other', () => {
  const popular = Array.from({ length: 3 }, () => numbers({ source: 'embed', host: 'popular.example' }))
  const forged = Array.from({ length: 500 }, (_, n) =>
    numbers({ source: 'embed', host: `forged${n}.example` }),
  )
  const { sources } = merged(...popular, ...forged)
  expect(Object.keys(sources)).toHaveLength(100)
  expect(sources['embed popular.example']).toBe(3)
  expect(Object.values(sources).reduce((sum, count) => sum + count)).toBe(503)
})

test('states shares of at most one, and none without playbacks', () => {
  expect(retentionOf(4, [4, 2, 9])).toEqual([1, 0.5, 1])
  expect(retentionOf(0, [0, 0])).toEqual([])
  expect([averageShareOf(2, 100), averageShareOf(1, 500), averageShareOf(0, 0)]).toEqual([0.5, 1, null])
})

test('writes days as CSV', () => {
  const days = [{ day: '2026-05-01', views: 3, playbacks: 2, watchedSeconds: 41.6 }]
  expect(toCsv({ days })).toBe('day,views,playbacks,watched_seconds\r\n2026-05-01,3,2,42\r\n')
})
