import { countCharacters } from '@kinora/contract/characters.ts'
import { errors } from '@kinora/contract/errors.ts'
import type { FieldError } from '@kinora/contract/failure.ts'
import { causeOf, describe } from '@kinora/contract/field-errors.ts'
import type { TextLimits } from '@kinora/contract/settings.ts'
import { limitedTexts } from '@kinora/contract/text.ts'
import { z } from 'zod'
import { AppError, fieldError } from '../../errors.ts'

/**
 * Validates external input. `limits` are the configured lengths of the schema's `limitedTexts`.
 *
 * Throws `invalid` with the errors of all fields, in the order of the fields; the first one is that of the request.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  limits: TextLimits,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeDefault })
  const issues = (parsed.error?.issues ?? []).map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
    ...causeOf(issue),
  }))
  const found = inOrderOf(schema, [...issues, ...overLongTexts(schema, value, limits)])
  if (parsed.success && found.length === 0) return parsed.data
  throw AppError.from(found[0] ?? { ...errors.malformedRequest, params: {} }, { errors: found })
}

/** Sorts errors by the order of the schema's fields, because rules about several fields run last. */
function inOrderOf(schema: z.ZodType, found: FieldError[]): FieldError[] {
  if (!(schema instanceof z.ZodObject)) return found
  const fields = Object.keys(schema.shape)
  const indexOf = ({ path }: FieldError) => fields.indexOf(path.split('.', 1)[0] ?? '')
  return found.toSorted((a, b) => indexOf(a) - indexOf(b))
}

/** Returns an error for each text above its configured length. */
function overLongTexts(schema: z.ZodType, value: unknown, limits: TextLimits): FieldError[] {
  if (!(schema instanceof z.ZodObject)) return []
  const given = new Map(Object.entries(value ?? {}))
  return Object.entries<z.ZodType>(schema.shape).flatMap(([path, field]) => {
    const limited = limitedTexts.get(field)
    const text: unknown = given.get(path)
    if (!limited || typeof text !== 'string') return []
    const params = { label: limited.label, limit: limits[limited.limit] }
    if (countCharacters(text.trim()) <= params.limit) return []
    return [fieldError(path, errors.tooLong, params)]
  })
}

/** The errors of schemas without their own. */
const describeDefault: z.core.$ZodErrorMap = (issue) => {
  const label = (issue.path ?? []).join('.')
  if (label === '') return describe(issue, errors.bodyNotObject)
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return describe(issue, errors.required, { label })
    const failure = wrongTypes[issue.expected]
    if (failure) return describe(issue, failure, { label })
    return describe(issue, errors.wrongType, { label, type: issue.expected })
  }
  if (issue.code === 'too_small')
    return issue.origin === 'string'
      ? describe(issue, errors.emptyText, { label })
      : describe(issue, errors.tooSmall, { label, limit: String(issue.minimum) })
  if (issue.code === 'too_big')
    return issue.origin === 'string'
      ? describe(issue, errors.tooLongText, { label })
      : describe(issue, errors.tooBig, { label, limit: String(issue.maximum) })
  return describe(issue, errors.notValid, { label })
}

const wrongTypes: Partial<
  Record<
    string,
    | typeof errors.notText
    | typeof errors.notBoolean
    | typeof errors.notWholeNumber
    | typeof errors.notArray
    | typeof errors.notObject
  >
> = {
  string: errors.notText,
  boolean: errors.notBoolean,
  int: errors.notWholeNumber,
  array: errors.notArray,
  object: errors.notObject,
}
