import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeSearchCursor,
  encodeSearchCursor,
  isOneMistakeApart,
  mendSearchUrl,
  planSearch,
  type WordMatch,
} from './rules.ts'

const word = fc.array(fc.constantFrom<string>('a', 'b', 'é', '𝒳'), { minLength: 1, maxLength: 8 })

test('one mistake is one letter too many, too few or wrong, or two swapped', () => {
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('a', 'q'), (letters, seed, other) => {
      const at = seed % letters.length
      const mistakes = [
        letters.toSpliced(at, 1),
        letters.toSpliced(at, 0, other),
        letters.with(at, other),
        letters.toSpliced(at, 2, ...letters.slice(at, at + 2).toReversed()),
      ]
      for (const typed of mistakes) {
        expect(isOneMistakeApart(typed.join(''), letters.join(''))).toBe(true)
        expect(isOneMistakeApart(letters.join(''), typed.join(''))).toBe(true)
      }
    }),
  )
  for (const [a, b] of [
    ['abcd', 'bcde'],
    ['horse', 'house2'],
    ['ab', 'abcd'],
    ['abcd', 'badc'],
  ] as const) {
    expect([a, b, isOneMistakeApart(a, b)]).toEqual([a, b, false])
  }
})

test('rare words are sought everywhere, common ones only among the newest, and rare ones say more', () => {
  const match = (typed: string, videosCount: number): WordMatch => ({
    word: typed,
    match: typed,
    kind: 'exact',
    videosCount,
  })
  const plan = planSearch([match('the', 90_000), match('cat', 300), match('meme', 1500)])
  expect(plan.sought).toEqual(['cat', 'meme'])
  expect(plan.common).toEqual(['the'])
  const [cat, meme, the] = plan.terms.map((term) => term.weight)
  expect(cat).toBeGreaterThan(meme ?? 0)
  expect(meme).toBeGreaterThan(the ?? 0)
})

test('a cursor comes back as it went', () => {
  const cursor = fc.record({
    score: fc.nat(),
    at: fc
      .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    id: fc.stringMatching(/^\w{16}$/),
  })
  fc.assert(
    fc.property(cursor, (given) => {
      expect(decodeSearchCursor(encodeSearchCursor(given))).toEqual(given)
    }),
  )
})

test('any text behind the search address becomes one well-formed segment', () => {
  const prefix = '/api/v1/video/search/'
  fc.assert(
    fc.property(fc.string(), (text) => {
      const mended = mendSearchUrl(prefix + text.replaceAll(/[?#]/g, ''))
      expect(mended.slice(prefix.length)).not.toMatch(/\//)
      expect(() => decodeURIComponent(mended)).not.toThrow()
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const url = `${prefix}${encodeURIComponent(text)}?limit=3`
      expect(decodeURIComponent(mendSearchUrl(url).slice(prefix.length).replace('?limit=3', ''))).toBe(text)
    }),
  )
  expect(mendSearchUrl('/api/v1/video/%E0%A4%A')).toBe('/api/v1/video/%E0%A4%A')
})
