import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  forgetRecentSearch,
  loadRecentSearches,
  matchingSearches,
  saveRecentSearch,
} from './recent-searches.ts'

beforeEach(() => {
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

it('lists the last search first, and each once', () => {
  for (const text of ['salt', 'night trains', 'Salt']) saveRecentSearch('u1', text)
  expect(loadRecentSearches('u1')).toEqual(['Salt', 'night trains'])
})

it('keeps the searches of accounts and visitors apart', () => {
  saveRecentSearch('u1', 'salt')
  expect([loadRecentSearches('u2'), loadRecentSearches(null)]).toEqual([[], []])
})

it('keeps twenty searches', () => {
  for (let n = 0; n < 25; n += 1) saveRecentSearch(null, `search ${n}`)
  expect(loadRecentSearches(null)).toHaveLength(20)
  expect(loadRecentSearches(null)[0]).toBe('search 24')
})

it('forgets one search', () => {
  for (const text of ['salt', 'fern']) saveRecentSearch(null, text)
  forgetRecentSearch(null, 'salt')
  expect(loadRecentSearches(null)).toEqual(['fern'])
})

it.each(['', '{', '{"a":1}', '[1,"salt"]'])('reads the stored value %j', (stored) => {
  localStorage.setItem('kinora.searches.visitor', stored)
  expect(loadRecentSearches(null)).toEqual(stored.includes('salt') ? ['salt'] : [])
})

it('suggests searches that contain the typed text, except the text itself', () => {
  const searches = ['Night trains', 'day trains', 'trains', 'salt']
  expect(matchingSearches(searches, 'TRAINS ', 5)).toEqual(['Night trains', 'day trains'])
  expect(matchingSearches(searches, '', 3)).toEqual(['Night trains', 'day trains', 'trains'])
})
