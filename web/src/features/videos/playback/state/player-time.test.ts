import { expect, it } from 'vitest'
import { formatClock, parseStart, spellSeconds } from './player-time.ts'

it.each([
  [0, '00:00'],
  [75.9, '01:15'],
  [3600, '1:00:00'],
  [7384, '2:03:04'],
  [Number.NaN, '00:00'],
  [-1, '00:00'],
])('formats %d s as %s', (seconds, clock) => {
  expect(formatClock(seconds)).toBe(clock)
})

it.each([
  [0, '0 seconds'],
  [61, '1 minute 1 second'],
  [426, '7 minutes 6 seconds'],
  [7200, '2 hours'],
])('spells %d s as %s', (seconds, text) => {
  expect(spellSeconds(seconds)).toBe(text)
})

it.each([
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
])('parses the start time %s as %s s', (text, seconds) => {
  expect(parseStart(text)).toBe(seconds)
})
