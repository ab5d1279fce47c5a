import { t } from '@lingui/core/macro'
import { countCharacters, hasVisibleText } from '@kinora/contract/characters.ts'
import { tooLongMessage } from '@kinora/contract/settings.ts'

/** Validation error of a required text with the server's message, or undefined. */
export function textError(label: string, text: string, maxLength: number): string | undefined {
  if (!hasVisibleText(text)) return t`${label} is required`
  return lengthError(label, text, maxLength)
}

/** Validation error of an optional text with the server's message, or undefined. */
export function lengthError(label: string, text: string, maxLength: number): string | undefined {
  return countCharacters(text.trim()) > maxLength ? tooLongMessage(label, maxLength) : undefined
}
