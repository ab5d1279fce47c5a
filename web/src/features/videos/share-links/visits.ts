const KEY = 'kinora.shared'
/** Browsers keep the visits of so many links. */
const maxVisits = 50

type Visits = Record<string, string>

/** The visit of this browser by the secret of a link. */
export const loadVisit = (secret: string): string | undefined => loadVisits()[secret]

export function saveVisit(secret: string, visit: string): void {
  const { [secret]: _, ...others } = loadVisits()
  const kept = Object.entries(others).slice(1 - maxVisits)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [secret, visit]])))
  } catch {
    // Without storage, each visit counts as another viewer.
  }
}

function loadVisits(): Visits {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Visits) : {}
  } catch {
    return {}
  }
}
