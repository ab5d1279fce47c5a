/** How long a text is: in characters as Unicode counts them, so that an emoji is one (or those it is made of). */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const visibleCharacter = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Whether a text has anything that can be seen, and not white space and invisible marks alone. */
export function hasVisibleText(text: string): boolean {
  return visibleCharacter.test(text)
}

/** A text on one line: trimmed, with each run of white space as a single space. */
export function collapseWhiteSpace(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
