import { countCharacters } from '@kinora/contract/characters.ts'
import { settings } from '../settings.ts'

/** What is wrong with the length of a new password, in the words of the server; nothing when it is fine. */
export function passwordLengthError(password: string): string | undefined {
  return countCharacters(password) < settings.passwordMinLength
    ? `Password must have at least ${settings.passwordMinLength} characters`
    : undefined
}
