import { countCharacters, hasVisibleText } from '@kinora/contract/characters.ts'
import { tooLongMessage } from '@kinora/contract/settings.ts'

/** What is wrong with a text that must be there, in the words of the server; nothing when it is fine. */
export function textError(label: string, text: string, maxLength: number): string | undefined {
  if (!hasVisibleText(text)) return `${label} is required`
  return countCharacters(text.trim()) > maxLength ? tooLongMessage(label, maxLength) : undefined
}
