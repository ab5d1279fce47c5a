import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentTokens, contrast, isReadableAccent } from './accent.ts'

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test('pale colours are not readable, the default one is', () => {
  expect(['#00697a', '#b3261e', '#ffd400', '#5ccbd6'].map(isReadableAccent)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('both themes of a readable colour have readable text', () => {
  const color = fc
    .integer({ min: 0, max: 0xff_ff_ff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color.filter(isReadableAccent), (accent) => {
      const { light, dark } = accentTokens(accent)
      expect(contrast(light['accent'] ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(light['accent'] ?? '', light['accent-soft'] ?? '')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark['accent'] ?? '', '#0e1213')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark['accent'] ?? '', dark['accent-soft'] ?? '')).toBeGreaterThanOrEqual(3)
    }),
  )
})
