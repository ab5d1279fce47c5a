import { suggestSearches } from '@kinora/contract/calls.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions } from '@tanstack/react-query'

/** Characters of a typed text that are sent: the endpoint accepts 200. */
const MAX_CHARACTERS = 100

/** Titles and channels for an unfinished search. */
export function suggestionsQuery(typed: string) {
  const text = typed.slice(0, MAX_CHARACTERS).trim().toLowerCase()
  return queryOptions({
    queryKey: ['suggestions', text],
    queryFn: ({ signal }) => call(suggestSearches, { query: { text }, signal }),
    enabled: text !== '',
    // While more is typed, earlier suggestions stay.
    placeholderData: (previous, query) => (text.startsWith(query?.queryKey[1] ?? ' ') ? previous : undefined),
    staleTime: 60_000,
  })
}
