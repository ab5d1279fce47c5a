import { countCharacters } from '@kinora/contract/characters.ts'
import { pictureFormats } from '@kinora/contract/pictures.ts'
import { isTestAccount, testAccountMessage } from '@kinora/contract/users.ts'
import { AppError } from '../../platform/errors.ts'

function invalid(path: string, message: string): AppError {
  return new AppError('invalid', message, { errors: [{ path, message }] })
}

/** Throws `invalid` for a new password that is too short; the shortest length is the operator's setting. */
export function checkNewPassword(path: string, password: string, minLength: number): void {
  if (countCharacters(password) < minLength) {
    throw invalid(path, `Password must have at least ${minLength} characters`)
  }
}

/**
 * What may be asked of a password change, in the order in which the form says it too.
 *
 * Whether `oldPassword` is right is not known here. Throws `forbidden` for the shared demonstration account,
 * before anything else, else `invalid`.
 */
export function checkPasswordChange(
  username: string,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  minLength: number,
): void {
  if (isTestAccount(username)) throw new AppError('forbidden', testAccountMessage)
  if (!oldPassword && !newPassword) {
    throw invalid('newPassword', 'Please enter passwords in order to save!')
  }
  if (!oldPassword) throw invalid('oldPassword', 'Please enter your current password')
  if (!newPassword) throw invalid('newPassword', 'Please enter a new password')
  if (newPassword === oldPassword) throw invalid('newPassword', 'Please select a new password!')
  checkNewPassword('newPassword', newPassword, minLength)
}

/** What is said at registration about a file that is no picture, or one in another format. */
export function wrongPictureMessage(which: 'profile' | 'cover'): string {
  return `The ${which} picture must be an image: ${pictureFormats}`
}

export const noPictureMessage = 'Please upload a file first!'

/** Throws `invalid` when a form came without the picture it is about; an empty file is none. */
export function requirePicture<File extends { sizeBytes: number }>(
  file: File | undefined,
  path: string,
  message: string,
): File {
  if (!file || file.sizeBytes === 0) throw invalid(path, message)
  return file
}
