const PREFIX = 'kinora.draft.'

/** Drafts of a tab survive reloads and logins; those of the browser also survive closing the tab. */
type Lifetime = 'tab' | 'browser'

const storageOf = (lifetime: Lifetime) => (lifetime === 'tab' ? sessionStorage : localStorage)

/** The unsent text, or an empty one. */
export function loadDraft(key: string, lifetime: Lifetime = 'tab'): string {
  try {
    return storageOf(lifetime).getItem(PREFIX + key) ?? ''
  } catch {
    // Storage may be blocked: the text then lasts as long as its field.
    return ''
  }
}

/** Keeps a text. An empty text deletes the draft. */
export function saveDraft(key: string, text: string, lifetime: Lifetime = 'tab'): void {
  try {
    const storage = storageOf(lifetime)
    if (text === '') storage.removeItem(PREFIX + key)
    else storage.setItem(PREFIX + key, text)
  } catch {
    // Storage may be blocked or full.
  }
}

/** Deletes every draft on logout: another person may use this browser next. */
export function deleteDrafts(): void {
  try {
    for (const storage of [sessionStorage, localStorage])
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
  } catch {
    // Storage may be blocked.
  }
}
