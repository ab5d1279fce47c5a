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

/** A tag as it is stored: lower case, without `#`, spaces as hyphens. */
export const normalizeTag = (text: string) =>
  text.normalize('NFC').trim().replace(/^#+/, '').trim().replaceAll(/\s+/g, '-').toLowerCase()
