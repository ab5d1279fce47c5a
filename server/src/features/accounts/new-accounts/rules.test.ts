import { expect, test } from 'vitest'
import { limitFactorOf } from './rules.ts'

test.each([
  [0, 0, 1],
  [2.3, 3, 1],
  [2.4, 0, 2],
  [0, 4, 2],
  [4.6, 6, 2],
  [4.7, 0, 4],
  [0, 7, 4],
  [6.9, 9, 4],
  [7, 0, undefined],
  [0, 10, undefined],
])(
  'after %f of 7 days and with %i of 10 contributions, limits have grown by %s',
  (ageDays, contributions, growth) => {
    expect(limitFactorOf({ ageDays, contributions }, 7)).toBe(growth)
  },
)

test('limits nothing where the site limits new accounts for no days', () => {
  expect(limitFactorOf({ ageDays: 0, contributions: 0 }, 0)).toBe(undefined)
})
