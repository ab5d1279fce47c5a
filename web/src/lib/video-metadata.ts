import { pageLanguage } from './i18n/language.ts'
import type { Licence } from '@kinora/contract/videos/video-metadata.ts'

/** Names of licences, and where their terms are. */
export const licences: Record<Licence, { label: string; href: string }> = {
  'cc0-1.0': { label: 'CC0', href: 'https://creativecommons.org/publicdomain/zero/1.0/' },
  'cc-by-4.0': { label: 'CC BY 4.0', href: 'https://creativecommons.org/licenses/by/4.0/' },
  'cc-by-sa-4.0': { label: 'CC BY-SA 4.0', href: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  'cc-by-nd-4.0': { label: 'CC BY-ND 4.0', href: 'https://creativecommons.org/licenses/by-nd/4.0/' },
  'cc-by-nc-4.0': { label: 'CC BY-NC 4.0', href: 'https://creativecommons.org/licenses/by-nc/4.0/' },
  'cc-by-nc-sa-4.0': {
    label: 'CC BY-NC-SA 4.0',
    href: 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
  },
  'cc-by-nc-nd-4.0': {
    label: 'CC BY-NC-ND 4.0',
    href: 'https://creativecommons.org/licenses/by-nc-nd/4.0/',
  },
}

const languageNames = new Intl.DisplayNames(pageLanguage, { type: 'language' })

/** The English name of a language; its tag where it has none. */
export function languageName(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag
  } catch {
    // No language tag.
    return tag
  }
}
