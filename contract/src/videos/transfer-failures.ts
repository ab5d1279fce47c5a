import { parseResponse } from '../client.ts'

/** The part of a response that tus-js-client gives to its callers. */
interface TransferResponse {
  getStatus(): number
  getHeader(name: string): string | undefined
  getBody(): string
}

/**
 * Whether a failed request of a resumable upload is worth repeating: network failures, 5xx, 409 and 423 (locked), and 429
 * with `Retry-After`. A 429 without it means too many unfinished uploads, which a retry does not change.
 */
export function isTransient(response: TransferResponse | null | undefined): boolean {
  const status = response?.getStatus() ?? 0
  if (status === 429) return Boolean(response?.getHeader('retry-after'))
  return status === 0 || status >= 500 || [408, 409, 423].includes(status)
}

/** Converts an error of tus-js-client: an ApiError for a rejected request, a TypeError for a lost network. */
export async function failureOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'originalResponse' in error)) return error
  const response = error.originalResponse as TransferResponse | null
  const status = response?.getStatus() ?? 0
  if (!response || status === 0) return new TypeError('Connection lost', { cause: error })
  return parseResponse(new Response(response.getBody(), { status })).then(
    () => error,
    (refusal: unknown) => refusal,
  )
}
