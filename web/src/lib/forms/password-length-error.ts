import { t } from '@lingui/core/macro'
import { countCharacters } from '@kinora/contract/characters.ts'
import { settings } from '../settings.ts'

/** Validation error of a new password's length with the server's message, or undefined. */
export function passwordLengthError(password: string): string | undefined {
  return countCharacters(password) < settings.passwordMinLength
    ? t`Password must have at least ${settings.passwordMinLength} characters`
    : undefined
}
