import { sql } from 'kysely'
import type { Audience } from '../../../visibility/queries.ts'

/** Characters of a search text that are read, enough for a pasted title. */
export const maxCharacters = 2000

/** The part of the index that an audience may see. */
export const shownTo = (audience: Audience) => (audience.isSignedIn ? sql`true` : sql`is_public`)

/** A text search query for any of some words; `mark` is `A` or `B` for a weight, `*` for prefixes. */
export function anyOf(words: string[], mark = ''): string {
  const quoted = words.map((word) => `'${word.replaceAll(/['\\]/g, '$&$&')}'`)
  return quoted.map((word) => (mark ? `${word}:${mark}` : word)).join(' | ')
}
