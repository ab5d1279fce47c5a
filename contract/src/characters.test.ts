import { expect, test } from 'vitest'
import { growthOf } from '../../scripts/growth.ts'
import { normalizeTag, normalizeText } from './characters.ts'

test('normalizes runs of combining marks in linear time', () => {
  // Halfwidth voiced marks are letters that become combining marks.
  for (const marks of ['\u0301\u0316', '\u0301\uff9e']) {
    const textOf = (length: number) => `a${marks.repeat(length / 2)}`
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const) {
      expect(growthOf(textOf, (text) => normalizeText(text, form), 10_000)).toBeLessThan(3)
    }
    expect(growthOf(textOf, normalizeTag, 10_000)).toBeLessThan(3)
  }
})

test('normalizes texts with up to 30 combining marks in a row as JavaScript does', () => {
  for (const text of ['Ame\u0301lie \ufb01nds ｶﾞ', `e${'\u0301\u0316'.repeat(15)}x`, 'का हिन्दी', 'שָׁלוֹם'])
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const)
      expect(normalizeText(text, form)).toBe(text.normalize(form))
})
