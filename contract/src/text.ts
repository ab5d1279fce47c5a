import { z } from 'zod'
import { countCharacters, hasVisibleText } from './characters.ts'
import { emailPattern, maxLength, usernamePattern } from './constants.ts'
import { errors } from './errors.ts'
import { describe, wrong } from './field-errors.ts'
import type { FieldLabel } from './field-labels.ts'
import type { TextLimit } from './settings.ts'

/** PostgreSQL cannot store U+0000 or lone surrogates in text. */
export const isStorable = (value: string) => !/[\0\p{Surrogate}]/u.test(value)

/** The setting that limits each text schema, and the label for its error message. */
export const limitedTexts = z.registry<{ limit: TextLimit; label: FieldLabel }>()

/** Registers the setting that limits the length of a text. The server, which knows the setting, checks the length. */
function limited<Schema extends z.ZodType>(schema: Schema, label: FieldLabel, limit: TextLimit): Schema {
  limitedTexts.add(schema, { limit, label })
  return schema
}

/**
 * Normalizes a single-line text: line breaks and tabs become spaces. Bidirectional controls and invisible characters are
 * removed, because they allow impersonation by look-alike names.
 */
const toOneLine = (text: string) =>
  text
    .replaceAll(/\p{Bidi_Control}|[\u00ad\u180e\u200b\u2060\ufeff]/gu, '')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/\p{Space_Separator}|[\u115f\u1160\u2800\u3164\uffa0]/gu, ' ')
    .trim()

/** A required text of one line. */
export function requiredLine(label: FieldLabel, limit: TextLimit) {
  return limited(anyRequiredText(label).overwrite(toOneLine), label, limit)
}

/** A required text: trimmed, with a visible character, within the limit of a setting. */
export function requiredText(label: FieldLabel, limit: TextLimit) {
  return limited(anyRequiredText(label), label, limit)
}

/** A required text of any length. */
export function anyRequiredText(label: FieldLabel) {
  return z
    .string({ error: missingOrNotText(label) })
    .trim()
    .min(1, { ...wrong(errors.required, { label }), abort: true })
    .refine(hasVisibleText, wrong(errors.required, { label }))
    .refine(isStorable, wrong(errors.notStorable))
}

const missingOrNotText =
  (label: FieldLabel): z.core.$ZodErrorMap =>
  (issue) =>
    describe(issue, issue.input === undefined || issue.input === null ? errors.required : errors.notText, {
      label,
    })

/** Limits the length of a text to a number of characters that no setting changes. */
export function atMost(schema: z.ZodString, label: FieldLabel, maxCharacters: number): z.ZodString {
  return schema
    .refine(
      (text) => countCharacters(text) <= maxCharacters,
      wrong(errors.tooLong, { label, limit: maxCharacters }),
    )
    .meta({ maxLength: maxCharacters })
}

/** A trimmed text of at most some characters; it may be empty. */
export function limitedText(label: FieldLabel, maxCharacters: number) {
  return atMost(
    z
      .string({ error: missingOrNotText(label) })
      .trim()
      .refine(isStorable, wrong(errors.notStorable)),
    label,
    maxCharacters,
  )
}

/** A text of one line, of at most some characters; it may be empty. */
export function limitedLine(label: FieldLabel, maxCharacters: number) {
  return limitedText(label, maxCharacters).overwrite(toOneLine)
}

/** An optional text that filters a list. */
export const FilterText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine(isStorable, wrong(errors.notStorable))
  .optional()

/** An optional text: trimmed; empty or null means unchanged. */
export function optionalText(label: FieldLabel, limit: TextLimit) {
  return limited(orNothing(z.string(wrong(errors.notText, { label })).trim()), label, limit)
}

/** An optional text of one line. */
export function optionalLine(label: FieldLabel, limit: TextLimit) {
  return limited(
    orNothing(z.string(wrong(errors.notText, { label })).trim().overwrite(toOneLine)),
    label,
    limit,
  )
}

/** An optional text; unlike with `optionalText`, an empty one is kept and clears what was stored. */
export function clearableText(label: FieldLabel, limit: TextLimit) {
  const text = z.string(wrong(errors.notText, { label })).trim().refine(isStorable, wrong(errors.notStorable))
  return limited(text.optional(), label, limit)
}

/** Turns null, and a text without visible characters, into undefined. */
const orNothing = (text: z.ZodString) =>
  text
    .refine(isStorable, wrong(errors.notStorable))
    .nullish()
    .transform((value) => (value && hasVisibleText(value) ? value : undefined))

export const Email = atMost(
  anyRequiredText('Email').regex(emailPattern, wrong(errors.invalidEmail)),
  'Email',
  maxLength.email,
)

/** An optional email address. Not checked for its form, because a login may send a username in its place. */
export const OptionalEmail = orNothing(
  atMost(z.string(wrong(errors.notText, { label: 'Email' })).trim(), 'Email', maxLength.email),
)

export const Username = limited(
  anyRequiredText('Username').regex(usernamePattern, wrong(errors.usernameCharacters)),
  'Username',
  'nameMaxCharacters',
)

/** Every character of a password counts, including white space. Its minimum length is a setting. */
export const Password = atMost(
  z
    .string({ error: missingOrNotText('Password') })
    .min(1, wrong(errors.required, { label: 'Password' }))
    .refine(isStorable, wrong(errors.notStorable)),
  'Password',
  maxLength.password,
)

/** A password field that may be empty. */
export const OptionalPassword = atMost(
  z.string(wrong(errors.notText, { label: 'Password' })).refine(isStorable, wrong(errors.notStorable)),
  'Password',
  maxLength.password,
).default('')
