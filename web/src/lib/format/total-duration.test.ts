import { expect, it } from 'vitest'
import { formatTotal } from './total-duration.ts'

it.each([
  [0, '0 s'],
  [40.4, '40 s'],
  [60, '1 min'],
  [3599, '1 h'],
  [7500, '2 h 5 min'],
  [360_000, '100 h'],
])('shows %d seconds as %s', (seconds, text) => {
  expect(formatTotal(seconds)).toBe(text)
})
