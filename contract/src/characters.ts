/** Length of a text in Unicode code points. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const visibleCharacter = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Whether a text has a visible character, not just white space and invisible marks. */
export function hasVisibleText(text: string): boolean {
  return visibleCharacter.test(text)
}

/** A text on one line: trimmed, with each run of white space as a single space. */
export function collapseWhiteSpace(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

const longRunOfMarks = /([\p{M}\uff9e\uff9f]{30})(?=[\p{M}\uff9e\uff9f])/gu

/**
 * A text in a Unicode normalization form, in time linear to its length: sorting a run of combining marks is quadratic. Runs
 * are separated after 30 marks, more than any language has (UAX #15, Stream-Safe Text Format).
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replaceAll(longRunOfMarks, '$1\u034f').normalize(form)
}

/** A tag as it is stored: lower case, without `#`, spaces as hyphens. */
export const normalizeTag = (text: string) =>
  normalizeText(text, 'NFC').trim().replace(/^#+/, '').trim().replaceAll(/\s+/g, '-').toLowerCase()
