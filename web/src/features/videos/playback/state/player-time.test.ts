import { expect, it } from 'vitest'
import { formatClock, spellSeconds } from './player-time.ts'

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
