/** Least length of a password without its known word, from which the word does no harm. */
const restMinCharacters = 6
const wordMinCharacters = 3

/** At most this many digits or signs at the end do not make a common password another one: `Sunshine2024!`. */
const decoration = /[^\p{L}]{1,5}$/u

/** It repeats a few characters, is hardly more than a name of its owner or the site, or is among the most common ones. */
export type PasswordWeakness = 'repeats' | 'ofOwner' | 'common'

/**
 * Why a password is easy to guess; undefined if no reason is known. `words` are those that
 * belong to the account or the site, `common` a list of passwords in lower case, most common ones included.
 */
export function findPasswordWeakness(
  password: string,
  { words, common }: { words: readonly string[]; common: ReadonlySet<string> },
): PasswordWeakness | undefined {
  const text = password.toLowerCase()
  if (text === '') return undefined
  if (/^(.{1,4}?)\1+$/su.test(text)) return 'repeats'
  const isOfOwner = words
    .map((word) => word.trim().toLowerCase())
    .some(
      (word) =>
        word.length >= wordMinCharacters &&
        text.includes(word) &&
        text.replaceAll(word, '').length < restMinCharacters,
    )
  if (isOfOwner) return 'ofOwner'
  if (common.has(text) || common.has(text.replace(decoration, ''))) return 'common'
  return undefined
}
