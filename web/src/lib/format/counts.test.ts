import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCount, viewsOf } from './counts.ts'

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1K'],
    [1250, '1.2K'],
    [9999, '9.9K'],
    [62_000, '62K'],
    [184_203, '184K'],
    [999_999, '999K'],
    [1_200_000, '1.2M'],
    [3_000_000_000, '3B'],
  ])('%d: %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })

  it('never rounds up, and has at most four characters', () => {
    const power: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (count) => {
        const text = formatCount(count)
        expect(text.length).toBeLessThanOrEqual(4)
        const shown = Number.parseFloat(text) * (power[text.at(-1) ?? ''] ?? 1)
        expect(shown).toBeLessThanOrEqual(count)
        expect(shown).toBeGreaterThan(count * 0.89)
      }),
    )
  })
})

describe('viewsOf', () => {
  it('uses the singular for one', () => {
    expect(viewsOf(1)).toBe('1 view')
    expect(viewsOf(0)).toBe('0 views')
    expect(viewsOf(1500)).toBe('1.5K views')
  })
})
