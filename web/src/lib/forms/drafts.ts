const PREFIX = 'kinora.draft.'

/** Drafts of a tab survive reloads and logins; those of the browser also survive closing the tab. */
type Place = 'tab' | 'browser'

const storageOf = (place: Place) => (place === 'tab' ? sessionStorage : localStorage)

/** Unsent text. It is deleted on logout. */
export function loadDraft(key: string, place: Place = 'tab'): string {
  try {
    return storageOf(place).getItem(PREFIX + key) ?? ''
  } catch {
    // Storage may be blocked: the text then lasts as long as its field.
    return ''
  }
}

/** Keeps a text; an empty one is forgotten. */
export function saveDraft(key: string, text: string, place: Place = 'tab'): void {
  try {
    const storage = storageOf(place)
    if (text === '') storage.removeItem(PREFIX + key)
    else storage.setItem(PREFIX + key, text)
  } catch {
    // Storage may be blocked or full.
  }
}

/** Forgets every text: the next person in this browser may be another one. */
export function forgetDrafts(): void {
  try {
    for (const storage of [sessionStorage, localStorage])
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
  } catch {
    // Storage may be blocked.
  }
}
