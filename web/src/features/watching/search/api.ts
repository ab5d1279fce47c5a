import {
  findMoments,
  suggestSearches,
  summarizeSearch,
  type SearchFilters,
} from '@kinora/contract/watching/search.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions } from '@tanstack/react-query'
import { searchKeys } from '../../../lib/query-keys.ts'

/** Characters of a text that suggestions and summaries accept. */
const MAX_CHARACTERS = 200

/** Titles and channels for an unfinished search. */
export function suggestionsQuery(typed: string) {
  const text = typed.slice(0, MAX_CHARACTERS).trim().toLowerCase()
  return queryOptions({
    queryKey: searchKeys.suggestions(text),
    queryFn: ({ signal }) => call(suggestSearches, { query: { text }, signal }),
    enabled: text !== '',
    // While more is typed, earlier suggestions stay.
    placeholderData: (previous, query) => (text.startsWith(query?.queryKey[1] ?? ' ') ? previous : undefined),
    staleTime: 60_000,
  })
}

/** The number of results, and channels that a search may mean. */
export function summaryQuery(text: string, filters: SearchFilters = {}) {
  return queryOptions({
    queryKey: searchKeys.summary(text, filters),
    queryFn: ({ signal }) => call(summarizeSearch, { query: { text, ...filters }, signal }),
    enabled: text.length <= MAX_CHARACTERS,
  })
}

/** Times at which captions or chapters have the words of a search. */
export function momentsQuery(text: string) {
  return queryOptions({
    queryKey: searchKeys.moments(text),
    queryFn: ({ signal }) => call(findMoments, { query: { text }, signal }),
    enabled: text.length <= MAX_CHARACTERS,
  })
}
