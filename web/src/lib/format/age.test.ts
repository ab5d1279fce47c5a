import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAge } from './age.ts'

const now = Date.parse('2026-06-15T12:00:00.000Z')
const ageOf = (seconds: number) => formatAge(new Date(now - seconds * 1000).toISOString(), now)

const minute = 60
const hour = 60 * minute
const day = 24 * hour

describe('formatAge', () => {
  it.each([
    [0, 'Just now'],
    [59.999, 'Just now'],
    [minute, '1 minute ago'],
    [59 * minute + 59, '59 minutes ago'],
    [hour, '1 hour ago'],
    [23 * hour + 59 * minute, '23 hours ago'],
    [day, '1 day ago'],
    [13 * day, '13 days ago'],
    [29 * day + 23 * hour, '29 days ago'],
    [30 * day, '1 month ago'],
    [59 * day, '1 month ago'],
    [60 * day, '2 months ago'],
    [364 * day, '12 months ago'],
    [365 * day, '1 year ago'],
    [729 * day, '1 year ago'],
    [730 * day, '2 years ago'],
  ])('%d seconds: %s', (seconds, text) => {
    expect(ageOf(seconds)).toBe(text)
  })

  it('formats future and invalid dates as just now', () => {
    expect(ageOf(-3600)).toBe('Just now')
    expect(formatAge('yesterday', now)).toBe('Just now')
  })

  it('never decreases over time', () => {
    const order = ['Just now', 'minute', 'hour', 'day', 'month', 'year']
    const rank = (text: string) => {
      const [count = '0', unit = ''] = text.split(' ')
      const place = order.indexOf(unit.replace(/s$/, ''))
      return text === 'Just now' ? 0 : place * 1000 + Number(count)
    }
    fc.assert(
      fc.property(fc.nat(20 * 365 * day), fc.nat(400 * day), (age, later) => {
        expect(rank(ageOf(age + later))).toBeGreaterThanOrEqual(rank(ageOf(age)))
      }),
    )
  })
})
