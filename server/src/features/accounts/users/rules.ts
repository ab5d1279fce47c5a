import { countCharacters } from '@kinora/contract/characters.ts'
import { findPasswordWeakness } from '@kinora/contract/accounts/password-weakness.ts'
import { pictureFormats } from '@kinora/contract/pictures.ts'
import { isTestAccount, testAccountMessage } from '@kinora/contract/constants.ts'
import { AppError } from '@kinora/platform/errors.ts'

function invalid(path: string, message: string): AppError {
  return new AppError('invalid', message, { errors: [{ path, message }] })
}

/** Throws `invalid` for a new password below the shortest length of the operator's settings. */
export function checkNewPassword(path: string, password: string, minLength: number): void {
  if (countCharacters(password) < minLength) {
    throw invalid(path, `Password must have at least ${minLength} characters`)
  }
}

/** Throws `invalid` for a new password that is easy to guess, where `common` has the most common ones. */
export function checkWeakness(
  path: string,
  password: string,
  known: { words: readonly string[]; common: ReadonlySet<string> },
): void {
  const weakness = findPasswordWeakness(password, known)
  if (weakness !== undefined) throw invalid(path, `${weakness} Choose another one.`)
}

/**
 * Validates a password change in the order of the form's messages.
 *
 * Does not verify `oldPassword`. Throws `forbidden` for the shared demonstration account before anything else,
 * otherwise `invalid`.
 */
export function checkPasswordChange(
  username: string,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  { passwordMinLength, demoAccount }: { passwordMinLength: number; demoAccount: boolean },
): void {
  if (isTestAccount(username, { demoAccount })) throw new AppError('forbidden', testAccountMessage)
  if (!oldPassword && !newPassword) {
    throw invalid('newPassword', 'Please enter passwords in order to save!')
  }
  if (!oldPassword) throw invalid('oldPassword', 'Please enter your current password')
  if (!newPassword) throw invalid('newPassword', 'Please enter a new password')
  if (newPassword === oldPassword) throw invalid('newPassword', 'Please select a new password!')
  checkNewPassword('newPassword', newPassword, passwordMinLength)
}

/**
 * Names that visitors would mistake for the operator, or for a page of the site. Usernames have letters and digits
 * only, so there are no lookalikes. The operator's command can still create them.
 */
const reservedUsernames = new Set(
  [
    ['admin', 'administrator', 'root', 'superuser', 'sysadmin', 'webmaster', 'postmaster', 'hostmaster'],
    ['support', 'helpdesk', 'moderator', 'moderators', 'staff', 'official', 'security', 'abuse', 'kinora'],
    ['about', 'search', 'login', 'register', 'logout', 'notfound', 'embed', 'share', 'dashboard', 'upload'],
    ['api', 'media', 'assets', 'metrics', 'healthz', 'readyz', 'sitemap', 'robots', 'null', 'undefined'],
  ].flat(),
)

/** Throws `invalid` for a reserved username. */
export function checkUsername(username: string): void {
  if (reservedUsernames.has(username.toLowerCase()))
    throw invalid('username', 'This username is reserved. Please choose another one.')
}

/** The message at registration for a file that is no picture, or has another format. */
export function wrongPictureMessage(which: 'profile' | 'cover'): string {
  return `The ${which} picture must be an image: ${pictureFormats}`
}

export const noPictureMessage = 'Please upload a file first!'

/** Throws `invalid` if a form lacks its picture; an empty file counts as missing. */
export function requirePicture<File extends { sizeBytes: number }>(
  file: File | undefined,
  path: string,
  message: string,
): File {
  if (!file || file.sizeBytes === 0) throw invalid(path, message)
  return file
}
