import { expect, test } from 'vitest'
import { parseTime, parseTimes, timesQuery } from './player-times.ts'

test.each([
  ['90', 90],
  ['90s', 90],
  ['1m30s', 90],
  ['1h2m3s', 3723],
  ['2m', 120],
  ['1:30', 90],
  ['1:02:03', 3723],
  ['0', 0],
  ['', undefined],
  [null, undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1:2:3:4', undefined],
])('parses the time %s as %s s', (text, seconds) => {
  expect(parseTime(text)).toBe(seconds)
})

test.each([
  ['t=12:10&end=12:40', 730, 760],
  ['start=10', 10, undefined],
  ['end=1m', undefined, 60],
  ['t=20&end=20', 20, undefined],
  ['t=20&end=5', 20, undefined],
  ['end=0', undefined, undefined],
  ['t=soon&end=later', undefined, undefined],
])('plays a part of a video by ?%s', (query, startSeconds, endSeconds) => {
  expect(parseTimes(new URLSearchParams(query))).toEqual({ startSeconds, endSeconds })
})

test('writes the times of a URL', () => {
  expect(timesQuery({ startSeconds: 730, endSeconds: 760 })).toBe('?t=730&end=760')
  expect(timesQuery({ endSeconds: 30 })).toBe('?end=30')
  expect(timesQuery({})).toBe('')
})
