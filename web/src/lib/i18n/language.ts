import { directionOf, isLanguage, type Language } from '@kinora/contract/languages.ts'

const KEY = 'language'

/** The language of this page, which `start.js` has set if one is stored. It stays until the page is loaded again. */
export const pageLanguage: Language = chosen(
  typeof document === 'undefined' ? '' : document.documentElement.lang,
)

/** The direction of its texts. */
export const pageDirection: 'ltr' | 'rtl' = directionOf(pageLanguage)

// `start.js` does not know the languages, and a browser may have stored one that was removed since.
if (typeof document !== 'undefined') {
  document.documentElement.lang = pageLanguage
  document.documentElement.dir = pageDirection
}

/** The tag with which dates are formatted. English dates have the day before the month. */
export const dateLocale: string = pageLanguage === 'en' ? 'en-GB' : pageLanguage

/** The tag with which times of day are formatted: English ones as the browser writes them, with or without AM and PM. */
export const timeLocale: string | undefined = pageLanguage === 'en' ? undefined : pageLanguage

function chosen(tag: string): Language {
  return isLanguage(tag) ? tag : 'en'
}

/** Stores the language of this browser, and loads the page again in it. Where storage is blocked, the page stays as it is. */
export function setLanguage(next: Language): void {
  if (next === pageLanguage) return
  try {
    localStorage.setItem(KEY, next)
  } catch {
    return
  }
  location.reload()
}
