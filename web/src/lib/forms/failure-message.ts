import { ApiError } from '@kinora/contract/client.ts'

/** What to tell after a failed call: the server's own words, as they are, or a plain sentence where there are none. */
export function failureMessage(error: unknown, fallback = 'Something went wrong'): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}
