import { z } from 'zod'
import { type TextLimit, tooLongMessage } from './settings.ts'

/** Longest texts in characters, where that is not the operator's choice. */
export const maxLength = { email: 254, password: 200 } as const

/** Some characters, an at sign, some characters, no white space: deliberately no stricter than that. */
export const emailPattern = /^\S+@\S+$/
export const usernamePattern = /^[A-Za-z0-9]+$/

/** PostgreSQL cannot store U+0000 in text; nobody types it. */
const storable = (value: string) => !value.includes('\u0000')
const notStorable = 'This text contains a character that cannot be stored'

/** Which setting limits a text, and what the text is called. Whoever parses input looks here; see `limited`. */
export const limitedTexts = z.registry<{ limit: TextLimit; label: string }>()

/** Has a text limited by a setting, which a schema cannot know. */
function limited<Schema extends z.ZodType>(schema: Schema, label: string, limit: TextLimit): Schema {
  limitedTexts.add(schema, { limit, label })
  return schema
}

/** A text that must be there: trimmed, not empty, no longer than a setting says (counted as UTF-16 units). */
export function requiredText(label: string, limit: TextLimit) {
  return limited(anyRequiredText(label), label, limit)
}

/** The same without a limit of its own. */
export function anyRequiredText(label: string) {
  return z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    .refine(storable, notStorable)
}

/** A text that may be left out: trimmed, and empty (or null) means "leave it as it is". */
export function optionalText(label: string, limit: TextLimit) {
  return limited(orNothing(z.string({ error: `${label} must be a text` }).trim()), label, limit)
}

const orNothing = (text: z.ZodString) =>
  text
    .refine(storable, notStorable)
    .nullish()
    .transform((value) => value || undefined)

export const Email = anyRequiredText('Email')
  .max(maxLength.email, tooLongMessage('Email', maxLength.email))
  .regex(emailPattern, 'Invalid email address')

/** An email address, or a name in its place, that may be left out. */
export const OptionalEmail = orNothing(
  z
    .string({ error: 'Email must be a text' })
    .trim()
    .max(maxLength.email, tooLongMessage('Email', maxLength.email)),
)

export const Username = limited(
  anyRequiredText('Username').regex(usernamePattern, 'Username can only contain letters and numbers'),
  'Username',
  'nameMaxCharacters',
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
