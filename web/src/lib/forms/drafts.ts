const PREFIX = 'kinora.draft.'

/** Unsent text of this tab. It survives reloads and logins, and is deleted on logout. */
export function loadDraft(key: string): string {
  try {
    return sessionStorage.getItem(PREFIX + key) ?? ''
  } catch {
    // Storage may be blocked: the text then lasts as long as its field.
    return ''
  }
}

/** Keeps a text; an empty one is forgotten. */
export function saveDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, text)
  } catch {
    // Storage may be blocked or full.
  }
}

/** Forgets every text: the next person in this tab may be another one. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Storage may be blocked.
  }
}
