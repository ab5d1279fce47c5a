import { categoryNames, licenceNames } from '@kinora/contract/videos/labels.ts'
import { pageLanguage } from './i18n/language.ts'
import { languageName } from './video-metadata.ts'

// Apart from `video-metadata.ts`, which every watch page loads.
const offered =
  'ar bn cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk ur vi zh'.split(' ')

/** Languages to choose from, by name, with one that is set already. */
export function languageOptions(current: string | null): { tag: string; label: string }[] {
  const tags = new Set(current === null ? offered : [...offered, current])
  return [...tags]
    .map((tag) => ({ tag, label: languageName(tag) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, pageLanguage))
}

/** The category of a name; undefined for any other text. */
export const categoryNamed = (text: string | undefined) => categoryNames.find((name) => name === text)

/** The licence of a name; undefined for any other text. */
export const licenceNamed = (text: string) => licenceNames.find((name) => name === text)
