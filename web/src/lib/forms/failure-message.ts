import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'

/** Message for a failed call: the server's, or the fallback if it sent none. */
export function failureMessage(error: unknown, fallback = t`Something went wrong`): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}
