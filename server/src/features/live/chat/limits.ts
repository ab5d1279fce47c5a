import { liveErrors } from '@kinora/contract/live/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { defineLimit } from '../../../context/limits.ts'

/** Messages per account in this many seconds, in all chats. */
const burst = { messages: 10, seconds: 10 }

export const chatMessageLimit = defineLimit(({ local }) => local(burst.messages, burst.seconds))

/** Open chats per user: each tab with one has a stream. */
export const chatStreamSlots = defineLimit(({ config, slots }) =>
  slots(
    'chat_streams',
    config.eventStreamsPerUser,
    (options) => new AppError(liveErrors.chatStreamLimit, options),
  ),
)
