import { accountErrors } from './accounts/errors.ts'
import { conversationErrors } from './conversation/errors.ts'
import { errors } from './errors.ts'
import type { Failure } from './failure.ts'
import { liveErrors } from './live/errors.ts'
import { messageErrors } from './messages/errors.ts'
import { operationErrors } from './operations/errors.ts'
import { portabilityErrors } from './portability/errors.ts'
import { videoErrors } from './videos/errors.ts'
import { watchingErrors } from './watching/errors.ts'

/** Every error of the API, by domain. */
export const errorsByDomain: Readonly<Record<string, Readonly<Record<string, Failure>>>> = {
  general: errors,
  accounts: accountErrors,
  videos: videoErrors,
  watching: watchingErrors,
  conversation: conversationErrors,
  live: liveErrors,
  messages: messageErrors,
  portability: portabilityErrors,
  operations: operationErrors,
}

/** Every error of the API. */
export const allErrors: readonly Failure[] = Object.values(errorsByDomain).flatMap((each) =>
  Object.values(each),
)
