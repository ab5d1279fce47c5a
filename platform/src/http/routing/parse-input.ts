import { countCharacters } from '@kinora/contract/characters.ts'
import type { FieldError } from '@kinora/contract/errors.ts'
import { type TextLimits, tooLongMessage } from '@kinora/contract/settings.ts'
import { limitedTexts } from '@kinora/contract/text.ts'
import { z } from 'zod'
import { AppError } from '../../errors.ts'

/**
 * Validates external input. `limits` are the configured lengths of the schema's `limitedTexts`.
 *
 * Throws `invalid` with the errors of all fields, in the order of the fields; the first one is the message.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  limits: TextLimits,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: defaultMessage })
  const issues = parsed.error?.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  const errors = inOrderOf(schema, [...(issues ?? []), ...overLongTexts(schema, value, limits)])
  if (parsed.success && errors.length === 0) return parsed.data
  throw new AppError('invalid', errors[0]?.message ?? 'The request is malformed', { errors })
}

/** Sorts errors by the order of the schema's fields, because rules about several fields run last. */
function inOrderOf(schema: z.ZodType, errors: FieldError[]): FieldError[] {
  if (!(schema instanceof z.ZodObject)) return errors
  const fields = Object.keys(schema.shape)
  const indexOf = ({ path }: FieldError) => fields.indexOf(path.split('.', 1)[0] ?? '')
  return errors.toSorted((a, b) => indexOf(a) - indexOf(b))
}

/** Returns an error for each text above its configured length. */
function overLongTexts(schema: z.ZodType, value: unknown, limits: TextLimits): FieldError[] {
  if (!(schema instanceof z.ZodObject)) return []
  const given = new Map(Object.entries(value ?? {}))
  return Object.entries<z.ZodType>(schema.shape).flatMap(([path, field]) => {
    const limited = limitedTexts.get(field)
    const text: unknown = given.get(path)
    if (!limited || typeof text !== 'string') return []
    const max = limits[limited.limit]
    return countCharacters(text.trim()) > max ? [{ path, message: tooLongMessage(limited.label, max) }] : []
  })
}

/** Messages for schemas without their own. */
const defaultMessage: z.core.$ZodErrorMap = ({ path = [], code, ...issue }) => {
  const field = path.join('.')
  if (field === '') return 'The body must be an object with fields'
  if (code === 'invalid_type' && issue.input === undefined) return `${field} is required`
  if (code === 'invalid_type')
    return `${field} must be ${nameOfType[String(issue['expected'])] ?? `a ${issue['expected']}`}`
  if (code === 'too_small')
    return issue['origin'] === 'string'
      ? `${field} is empty`
      : `${field} must be at least ${issue['minimum']}`
  if (code === 'too_big')
    return issue['origin'] === 'string'
      ? `${field} is too long`
      : `${field} must be at most ${issue['maximum']}`
  return `${field} is not valid`
}

const nameOfType: Record<string, string> = {
  string: 'a text',
  int: 'a whole number',
  array: 'an array',
  object: 'an object',
}
