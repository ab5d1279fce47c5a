import { t } from '@lingui/core/macro'
import { emailPattern, usernamePattern } from '@kinora/contract/constants.ts'
import { passwordLengthError } from '../../../lib/forms/password-length-error.ts'
import { pictureFormatError } from '../../../lib/forms/picture-formats.ts'
import { settings } from '../../../lib/settings.ts'
import { textError } from '../../../lib/forms/text-error.ts'

/** Validation errors by field; valid fields have no key. */
export type FieldErrors<Name extends string> = Partial<Record<Name, string>>

export function emailError(email: string): string | undefined {
  if (email.trim() === '') return t`Email is required`
  return emailPattern.test(email.trim()) ? undefined : t`Invalid email address`
}

export function loginErrors(form: { email: string; password: string }): FieldErrors<'email' | 'password'> {
  return present({
    email: emailError(form.email),
    password: form.password === '' ? t`Password is required` : undefined,
  })
}

export type Registration = {
  fullname: string
  email: string
  username: string
  password: string
  avatar: File | undefined
  coverImage: File | undefined
  /** Id of an invitation; empty for none. */
  invitation: string
}

export function registrationErrors(
  form: Omit<Registration, 'invitation'>,
): FieldErrors<Exclude<keyof Registration, 'invitation'>> {
  return present({
    fullname: textError(t`Full name`, form.fullname, settings.nameMaxCharacters),
    email: emailError(form.email),
    username: usernameError(form.username),
    password: newPasswordError(form.password),
    avatar: form.avatar ? imageError(form.avatar) : t`Profile picture is required`,
    coverImage: form.coverImage && imageError(form.coverImage),
  })
}

function usernameError(username: string): string | undefined {
  const error = textError(t`Username`, username, settings.nameMaxCharacters)
  if (error) return error
  return usernamePattern.test(username.trim()) ? undefined : t`Username can only contain letters and numbers`
}

export function newPasswordError(password: string): string | undefined {
  return password === '' ? t`Password is required` : passwordLengthError(password)
}

/** Validation error of a profile image, or undefined. */
export function imageError(file: File): string | undefined {
  return file.type.startsWith('image/') ? pictureFormatError(file) : t`Please choose an image`
}

function present<Name extends string>(errors: Record<Name, string | undefined>): FieldErrors<Name> {
  const entries = Object.entries<string | undefined>(errors).filter(([, message]) => message !== undefined)
  // Object.entries widens the keys; they are those of `errors`.
  return Object.fromEntries(entries) as FieldErrors<Name>
}
