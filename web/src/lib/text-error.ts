import { tooLongMessage } from '@kinora/contract/settings.ts'

/** What is wrong with a text that must be there, in the words of the server; nothing when it is fine. */
export function textError(label: string, text: string, maxLength: number): string | undefined {
  const length = text.trim().length
  if (length === 0) return `${label} is required`
  return length > maxLength ? tooLongMessage(label, maxLength) : undefined
}
