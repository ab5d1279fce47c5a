import { z } from 'zod'

/** Longest texts, in characters. */
export const maxLength = {
  title: 200,
  description: 20_000,
  comment: 10_000,
  name: 100,
  email: 254,
  password: 200,
} as const

export const passwordMinLength = 8
/** The name of the page's meta tag that carries the operator's choice. */
export const passwordMinLengthMeta = 'password-min-length'

/** Some characters, an at sign, some characters, no white space: deliberately no stricter than that. */
export const emailPattern = /^\S+@\S+$/
export const usernamePattern = /^[A-Za-z0-9]+$/

/** PostgreSQL cannot store U+0000 in text; nobody types it. */
const storable = (value: string) => !value.includes('\u0000')
const notStorable = 'This text contains a character that cannot be stored'

/** A text that must be there: trimmed, not empty, at most `max` characters (counted as UTF-16 units). */
export function requiredText(label: string, max: number) {
  return z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    .max(max, `${label} may have at most ${max.toLocaleString('en')} characters`)
    .refine(storable, notStorable)
}

/** A text that may be left out: trimmed, and empty (or null) means "leave it as it is". */
export function optionalText(label: string, max: number) {
  return z
    .string({ error: `${label} must be a text` })
    .trim()
    .max(max, `${label} may have at most ${max.toLocaleString('en')} characters`)
    .refine(storable, notStorable)
    .nullish()
    .transform((value) => value || undefined)
}

export const Email = requiredText('Email', maxLength.email).regex(emailPattern, 'Invalid email address')

export const Username = requiredText('Username', maxLength.name).regex(
  usernamePattern,
  'Username can only contain letters and numbers',
)

/** Every character of a password counts, white space too; the shortest length is the operator's setting. */
export const Password = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(maxLength.password, `Password may have at most ${maxLength.password} characters`)
  .refine(storable, notStorable)

/** A password field that may be left empty. */
export const OptionalPassword = z
  .string({ error: 'Password must be a text' })
  .max(maxLength.password, `Password may have at most ${maxLength.password} characters`)
  .refine(storable, notStorable)
  .default('')
