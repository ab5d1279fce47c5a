import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeSearchCursor,
  encodeSearchCursor,
  isLikelyMatch,
  mistakesBetween,
  mistyped,
  normalizeSearchUrl,
  planSearch,
  type WordMatch,
} from './rules.ts'

const letters = fc.array(fc.constantFrom<string>('a', 'b', 'é', '𝒳'), { minLength: 1, maxLength: 8 })

/** All results of one mistake at a position. */
const mistaken = (typed: string[], at: number, other: string) => [
  typed.toSpliced(at, 1),
  typed.toSpliced(at, 0, other),
  typed.with(at, other),
  typed.toSpliced(at, 2, ...typed.slice(at, at + 2).toReversed()),
]

test('a mistake is an insertion, deletion, substitution or transposition', () => {
  fc.assert(
    fc.property(letters, fc.nat(), fc.constantFrom('a', 'q'), (word, seed, other) => {
      expect(mistakesBetween(word.join(''), word.join(''))).toBe(0)
      for (const once of mistaken(word, seed % word.length, other)) {
        expect(mistakesBetween(once.join(''), word.join(''))).toBeLessThanOrEqual(1)
        expect(mistakesBetween(word.join(''), once.join(''))).toBeLessThanOrEqual(1)
        for (const twice of mistaken([...once, 'e', 'n', 'd'], once.length + 1, other)) {
          expect(mistakesBetween(twice.join(''), `${word.join('')}end`)).toBeLessThanOrEqual(2)
        }
      }
    }),
  )
  for (const [a, b, mistakes] of [
    ['abcd', 'bcde', 2],
    ['horse', 'house2', 2],
    ['ab', 'abcd', 2],
    ['abcd', 'badc', 2],
    ['', 'abc', 3],
  ] as const) {
    expect([a, b, mistakesBetween(a, b)]).toEqual([a, b, mistakes])
  }
})

const match = (typed: string, videosCount: number, kind: WordMatch['kind'] = 'exact'): WordMatch => ({
  word: typed,
  match: kind === 'beginning' ? `${typed}ing` : typed,
  kind,
  videosCount,
})

const planOf = (matches: WordMatch[], unknown: string[] = []) =>
  planSearch([...new Set(matches.map(({ word }) => word)), ...unknown], matches, 1_000_000)

test('very common words have no results next to other words', () => {
  const [no, video, such] = [match('no', 300_000), match('video', 100_000), match('such', 99_999)]
  expect(planOf([no, video, such])).toMatchObject({
    ranked: [],
    common: [['such']],
    commonInTitles: [['video'], ['no']],
  })
  expect(planOf([no, video], ['xyzzy'])).toMatchObject({ ranked: [], common: [] })
  expect(planOf([no, video])).toMatchObject({ common: [['video'], ['no']], commonInTitles: [] })
  // the singular is common, its plural is not
  const videos: WordMatch = { word: 'videos', match: 'video', kind: 'inflection', videosCount: 300_000 }
  expect(planOf([match('videos', 7), videos], ['xyzzy']).ranked).toEqual([])
  expect(planOf([match('videos', 7), videos]).ranked).toEqual(['videos'])
})

test('no word is very common in a small library, or before the first count', () => {
  const matches = [match('no', 19), match('such', 1)]
  expect(planSearch(['no', 'such'], matches, 20).ranked).toEqual(['such', 'no'])
  expect(planSearch(['no', 'such', 'xyzzy'], [match('no', 400)], 0).ranked).toEqual(['no'])
  expect(planSearch(['no', 'such', 'xyzzy'], [match('no', 20)], 20).ranked).toEqual([])
})

test('inner parts match only without better matches, and before corrections to a common word', () => {
  const inner: WordMatch = { word: 'noi', match: 'hanoi', kind: 'inner part', videosCount: 3 }
  const mistake: WordMatch = { word: 'noi', match: 'not', kind: 'mistake', videosCount: 300_000 }
  expect(planOf([mistake, inner]).ranked).toEqual(['hanoi'])
  expect(planOf([match('noi', 2, 'beginning'), inner]).ranked).toEqual(['noiing'])
  expect(planOf([mistake]).common).toEqual([['not']])
})

test('rare words are searched everywhere and weigh more; common ones are added if those find little', () => {
  const plan = planOf([match('the', 90_000), match('cat', 100), match('a', 80_000), match('meme', 50)])
  expect(plan.ranked).toEqual(['meme', 'cat'])
  expect(plan.common).toEqual([['a'], ['the']])
  const weights = plan.terms.map((term) => term.weight)
  expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  expect(planOf([match('the', 90_000), match('meme', 400)]).common).toEqual([])
})

test('a common word leaves room for later rare ones', () => {
  const plan = planOf([match('in', 10), match('in', 90_000, 'beginning'), match('rain', 400)])
  expect(plan).toMatchObject({ ranked: ['in', 'rain'], common: [] })
})

test('a common word is searched itself, without its completions', () => {
  const plan = planOf([match('mini', 90_000), match('mini', 300, 'beginning')])
  expect(plan).toMatchObject({ ranked: [], common: [['mini']] })
})

test('common words and completions are searched if there are no others', () => {
  expect(planOf([match('the', 90_000)])).toMatchObject({ ranked: [], common: [['the']] })
  const plan = planOf([match('walk', 90_000, 'beginning')])
  expect(plan).toMatchObject({ ranked: [], common: [['walking']] })
  expect(planOf([])).toEqual({ terms: [], ranked: [], common: [], commonInTitles: [] })
})

test('two mistakes are corrected in long words without better matches', () => {
  expect(mistyped(['phottograpy', 'horrses', 'cat', 'mp34567'], [match('horrses', 1)])).toEqual([
    'phottograpy',
  ])
  const mistake: WordMatch = { word: 'phottograpy', match: 'photography', kind: 'mistake', videosCount: 1 }
  expect([isLikelyMatch(mistake, 1), isLikelyMatch(mistake, 2)]).toEqual([false, true])
  expect(isLikelyMatch({ ...mistake, kind: 'beginning' }, 1)).toBe(true)
})

test('a cursor survives encoding and decoding', () => {
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

test('any text of a search URL becomes one well-formed segment', () => {
  const prefix = '/api/v1/video/search/'
  fc.assert(
    fc.property(fc.string(), (text) => {
      const term = normalizeSearchUrl(prefix + text.replaceAll(/[?#]/g, '')).slice(prefix.length)
      expect(term).not.toMatch(/\//)
      expect(term === '%' || decodeURIComponent(term) !== '').toBe(true)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const url = `${prefix}${encodeURIComponent(text)}?limit=3`
      expect(decodeURIComponent(normalizeSearchUrl(url).slice(prefix.length).replace('?limit=3', ''))).toBe(
        text,
      )
    }),
  )
  expect(normalizeSearchUrl('/api/v1/video/%E0%A4%A')).toBe('/api/v1/video/%E0%A4%A')
})
