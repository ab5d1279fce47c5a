import { expect, it } from 'vitest'
import { formatPublishedDay } from './published-day.ts'

const at = (...parts: [number, number, number, number?]) => new Date(...parts)

it('formats a day as short as is unambiguous', () => {
  const nowMs = at(2026, 10, 21, 15).getTime()
  expect(formatPublishedDay(at(2026, 10, 21, 0).toISOString(), nowMs)).toBe('Today')
  expect(formatPublishedDay(at(2026, 10, 20, 23).toISOString(), nowMs)).toBe('20 Nov')
  expect(formatPublishedDay(at(2025, 10, 21, 15).toISOString(), nowMs)).toBe('21 Nov 2025')
})
