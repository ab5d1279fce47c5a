import { t } from '@lingui/core/macro'
import { hasVisibleText } from '@kinora/contract/characters.ts'
import { emailPattern, isTestAccount } from '@kinora/contract/constants.ts'
import { settings } from '../../../lib/settings.ts'
import { passwordLengthError } from '../../../lib/forms/password-length-error.ts'
import { pictureFormatError } from '../../../lib/forms/picture-formats.ts'

/** Validation error of new details, or undefined. Empty fields stay unchanged. */
export function detailsError({ fullname, email }: { fullname: string; email: string }): string | undefined {
  if (!hasVisibleText(fullname) && email.trim() === '') return t`Please enter email or fullname to edit!`
  if (email.trim() !== '' && !emailPattern.test(email.trim())) return t`Invalid email address`
  return undefined
}

/** Validation error of a password change, or undefined. The specification fixes the order of the checks. */
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
  if (isTestAccount(username, settings)) return t`You cannot change the password to test accounts!`
  if (oldPassword === '' && newPassword === '') return t`Please enter passwords in order to save!`
  if (newPassword === oldPassword) return t`Please select a new password!`
  if (newPassword !== repeated) return t`Password's dont match!`
  // If only one of the two is empty, the request is sent: the server rejects it with its own message.
  return newPassword === '' ? undefined : passwordLengthError(newPassword)
}

/** Validation error of a new image, or undefined. */
export function pictureError(file: File | undefined): string | undefined {
  return file?.type.startsWith('image/') ? pictureFormatError(file) : t`Please upload a file first!`
}
