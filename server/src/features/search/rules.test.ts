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

const match = (typed: string, videosCount: number, kind: WordMatch['kind'] = 'exact'): WordMatch => ({
  word: typed,
  match: kind === 'beginning' ? `${typed}ing` : typed,
  kind,
  videosCount,
})

test('rare words are sought everywhere and say more; common ones help out where those find little', () => {
  const plan = planSearch([match('the', 90_000), match('cat', 100), match('a', 80_000), match('meme', 150)])
  expect(plan.sought).toEqual(['cat', 'meme'])
  expect(plan.common.toSorted()).toEqual(['a', 'the'])
  const weights = plan.terms.map((term) => term.weight)
  expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  expect(planSearch([match('the', 90_000), match('meme', 1500)]).common).toEqual([])
})

test('a common word leaves room for rare ones behind it', () => {
  const plan = planSearch([match('in', 10), match('in', 90_000, 'beginning'), match('rain', 500)])
  expect(plan).toMatchObject({ sought: ['in', 'rain'], common: [] })
})

test('nothing but common words are sought among the newest, and so is what a common beginning begins', () => {
  expect(planSearch([match('the', 90_000)])).toMatchObject({ sought: [], common: ['the'] })
  const plan = planSearch([match('walk', 90_000, 'beginning')])
  expect(plan).toMatchObject({ sought: [], common: ['walking'] })
  expect(planSearch([])).toEqual({ terms: [], sought: [], common: [] })
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
