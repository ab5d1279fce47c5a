import { ApiError } from '@kinora/contract/client.ts'

/** History state of a not-found page that stands in for a page whose data could not be loaded. */
interface FailedPage {
  failedPath: string
}

/** State for the redirect to the not-found page; undefined if the server said that the page does not exist. */
export function failedPage(
  error: unknown,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): FailedPage | undefined {
  const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429
  return isFinal ? undefined : { failedPath: pathname + search }
}

/** Path of the page that failed; undefined for any other state. */
export function failedPathOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('failedPath' in state)) return undefined
  return typeof state.failedPath === 'string' ? state.failedPath : undefined
}
