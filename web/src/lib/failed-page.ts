import { ApiError } from '@kinora/contract/client.ts'

/** History state of a not-found page: the page that may load on another attempt, or does not exist for the viewer. */
type FailedPage = { failedPath: string } | { missingPath: string }

/** State for the redirect to the not-found page. */
export function failedPage(
  error: unknown,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): FailedPage {
  const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429
  const path = pathname + search
  return isFinal ? { missingPath: path } : { failedPath: path }
}

/** Path of the page that failed; undefined for any other state. */
export const failedPathOf = (state: unknown) => textIn(state, 'failedPath')

/** Path of the page that the server said not to exist; undefined for any other state. */
export const missingPathOf = (state: unknown) => textIn(state, 'missingPath')

function textIn(state: unknown, key: string): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined
  const text: unknown = Object.entries(state).find(([name]) => name === key)?.[1]
  return typeof text === 'string' ? text : undefined
}
