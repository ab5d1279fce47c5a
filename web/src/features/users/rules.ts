import { hasVisibleText } from '@kinora/contract/characters.ts'
import { emailPattern } from '@kinora/contract/text.ts'
import { isTestAccount, testAccountMessage } from '@kinora/contract/users.ts'
import { settings } from '../../lib/settings.ts'
import { passwordLengthError } from '../../lib/forms/password-length-error.ts'
import { pictureFormatError } from '../../lib/forms/picture-formats.ts'

/** What is wrong with new details, or nothing. An empty field leaves what it stands for as it is. */
export function detailsError({ fullname, email }: { fullname: string; email: string }): string | undefined {
  if (!hasVisibleText(fullname) && email.trim() === '') return 'Please enter email or fullname to edit!'
  if (email.trim() !== '' && !emailPattern.test(email.trim())) return 'Invalid email address'
  return undefined
}

/** What is wrong with a change of password, or nothing; the order of the checks is specified. */
export function passwordError({
  username,
  oldPassword,
  newPassword,
  repeated,
}: {
  username: string
  oldPassword: string
  newPassword: string
  repeated: string
}): string | undefined {
  if (isTestAccount(username, settings)) return testAccountMessage
  if (oldPassword === '' && newPassword === '') return 'Please enter passwords in order to save!'
  if (newPassword === oldPassword) return 'Please select a new password!'
  if (newPassword !== repeated) return "Password's dont match!"
  // A single empty field is for the server to judge.
  return newPassword === '' ? undefined : passwordLengthError(newPassword)
}

/** What is wrong with a new picture, or nothing. */
export function pictureError(file: File | undefined): string | undefined {
  return file?.type.startsWith('image/') ? pictureFormatError(file) : 'Please upload a file first!'
}
