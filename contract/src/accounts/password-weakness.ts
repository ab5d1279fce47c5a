/** Least length of a password without its known word, from which the word does no harm. */
const restMinCharacters = 6
const wordMinCharacters = 3

/** At most this many digits or signs at the end do not make a common password another one: `Sunshine2024!`. */
const decoration = /[^\p{L}]{1,5}$/u

/**
 * Why a password is easy to guess, as a sentence for its owner; undefined if no reason is known. `words` are those that
 * belong to the account or the site, `common` a list of passwords in lower case, most common ones included.
 */
export function findPasswordWeakness(
  password: string,
  { words, common }: { words: readonly string[]; common: ReadonlySet<string> },
): string | undefined {
  const text = password.toLowerCase()
  if (text === '') return undefined
  if (/^(.{1,4}?)\1+$/su.test(text)) return 'Easy to guess: it repeats a few characters.'
  const isOfOwner = words
    .map((word) => word.trim().toLowerCase())
    .some(
      (word) =>
        word.length >= wordMinCharacters &&
        text.includes(word) &&
        text.replaceAll(word, '').length < restMinCharacters,
    )
  if (isOfOwner) return 'Easy to guess: it is hardly more than your name or that of the site.'
  if (common.has(text) || common.has(text.replace(decoration, '')))
    return 'Easy to guess: it is among the most common ones, which attackers try first.'
  return undefined
}
