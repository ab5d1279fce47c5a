import { expect, it } from 'vitest'
import { formatPercent, formatProgress } from './percent.ts'

it('rounds a share to whole percents, and never to none', () => {
  expect([0, 0.004, 0.256, 1].map(formatPercent)).toEqual(['0%', '< 1%', '26%', '100%'])
})

it('reaches 100% of a progress only at its end', () => {
  expect([0, 0.29, 0.999, 1, 1.2].map(formatProgress)).toEqual(['0%', '29%', '99%', '100%', '100%'])
})
