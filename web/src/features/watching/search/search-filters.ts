import { searchLengths, searchPeriods, searchSorts } from '@kinora/contract/constants.ts'
import type { SearchFilters } from '@kinora/contract/watching/search.ts'
import { categoryNamed } from '../../../lib/metadata-choices.ts'

/** Filters and order in the query of an address; unknown values are left out. */
export function filtersOf(params: URLSearchParams): SearchFilters {
  const named = <Name extends string>(names: readonly Name[], key: string) =>
    names.find((name) => name === params.get(key))
  return withoutDefaults({
    sort: named(searchSorts, 'sort'),
    published: named(searchPeriods, 'published'),
    length: named(searchLengths, 'length'),
    category: categoryNamed(params.get('category') ?? undefined),
    captions: named(['true'] as const, 'captions'),
    language: /^[a-z]{2,3}$/.exec(params.get('language') ?? '')?.[0],
  })
}

/** The filters that change the results. */
export function withoutDefaults(filters: SearchFilters): SearchFilters {
  const given = Object.entries(filters).filter(
    ([name, value]) => value !== undefined && !(name === 'sort' && value === 'relevance'),
  )
  // The same keys and values, some left out.
  return Object.fromEntries(given) as SearchFilters
}

/** The query of an address with these filters. */
export function paramsOf(filters: SearchFilters): [string, string][] {
  return Object.entries(withoutDefaults(filters)).flatMap(([name, value]) => (value ? [[name, value]] : []))
}
