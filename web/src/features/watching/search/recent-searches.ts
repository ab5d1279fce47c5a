const MAX_SEARCHES = 20

/** One list for each account, and one for visitors. */
const keyOf = (userId: string | null) => `kinora.searches.${userId ?? 'visitor'}`

/** Searches of an account in this browser, last first. */
export function loadRecentSearches(userId: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
  } catch {
    // Storage may be blocked, or hold no JSON.
    return []
  }
}

/** Puts a search first. */
export function saveRecentSearch(userId: string | null, text: string): void {
  save(userId, [text, ...without(loadRecentSearches(userId), text)].slice(0, MAX_SEARCHES))
}

export function forgetRecentSearch(userId: string | null, text: string): void {
  save(userId, without(loadRecentSearches(userId), text))
}

/** Recent searches that contain an unfinished text. */
export function matchingSearches(searches: readonly string[], typed: string, limit: number): string[] {
  const text = typed.trim().toLowerCase()
  return searches
    .filter((search) => search.toLowerCase().includes(text) && search.toLowerCase() !== text)
    .slice(0, limit)
}

const without = (searches: readonly string[], text: string) =>
  searches.filter((search) => search.toLowerCase() !== text.toLowerCase())

function save(userId: string | null, searches: readonly string[]): void {
  try {
    if (searches.length > 0) localStorage.setItem(keyOf(userId), JSON.stringify(searches))
    else localStorage.removeItem(keyOf(userId))
  } catch {
    // Storage may be blocked or full: searches are then not remembered.
  }
}
