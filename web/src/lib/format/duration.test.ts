import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration } from './duration.ts'

describe('formatDuration', () => {
  it.each([
    [0, '00:00'],
    [36, '00:36'],
    [59.9, '00:59'],
    [75, '01:15'],
    [600, '10:00'],
    [3661, '61:01'],
    [7507, '125:07'],
  ])('%d s: %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })

  it.each([undefined, null, Number.NaN, Infinity, -5])(
    'formats the invalid duration %s as 00:00',
    (seconds) => {
      expect(formatDuration(seconds)).toBe('00:00')
    },
  )

  it('can be parsed back to whole seconds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (seconds) => {
        const text = formatDuration(seconds)
        expect(text).toMatch(/^\d{2,}:[0-5]\d$/)
        const [minutes = 0, rest = 0] = text.split(':').map(Number)
        expect(minutes * 60 + rest).toBe(Math.floor(seconds))
      }),
    )
  })
})
