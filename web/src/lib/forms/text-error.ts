import { t } from '@lingui/core/macro'
import { countCharacters, hasVisibleText } from '@kinora/contract/characters.ts'
import { pageLanguage } from '../i18n/language.ts'

/** Validation error of a required text with the server's message, or undefined. */
export function textError(label: string, text: string, maxLength: number): string | undefined {
  if (!hasVisibleText(text)) return t`${label} is required`
  return lengthError(label, text, maxLength)
}

/** Validation error of an optional text with the server's message, or undefined. */
export function lengthError(label: string, text: string, maxLength: number): string | undefined {
  const limit = maxLength.toLocaleString(pageLanguage)
  return countCharacters(text.trim()) > maxLength
    ? t`${label} may have at most ${limit} characters`
    : undefined
}
