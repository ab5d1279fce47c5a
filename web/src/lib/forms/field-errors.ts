import { ApiError } from '@kinora/contract/client.ts'
import { failureMessage } from './failure-message.ts'

/** The server's messages of a failed call, by field: those of its entries (`tags.2`) and lines together. */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors = error instanceof ApiError ? error.errors : []
  const byField = Map.groupBy(errors, ({ path }) => path.split('.')[0] ?? path)
  return Object.fromEntries(
    [...byField].map(([field, found]) => [
      field,
      [...new Set(found.map(({ message }) => message))].join('\n'),
    ]),
  )
}

/** Message for a failed call, unless each of its errors belongs to one of the fields. */
export function formError(error: unknown, fields: readonly string[], fallback?: string): string | undefined {
  if (!error) return undefined
  const paths = Object.keys(fieldErrors(error))
  return paths.length > 0 && paths.every((path) => fields.includes(path))
    ? undefined
    : failureMessage(error, fallback)
}
