/** No word of prose is so long; set in the size of a headline it would not fit into a line of a phone. */
const LONG_WORD = /\S{20}/

/** Whether a name contains a word that needs a smaller font. */
export function hasLongWord(name: string): boolean {
  return LONG_WORD.test(name)
}
