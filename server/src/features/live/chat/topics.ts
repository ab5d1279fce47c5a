import { ChatMessage, ChatMessageId, ChatSettings } from '@kinora/contract/live/chat.ts'
import type { Topic } from '@kinora/platform/db/pubsub.ts'
import { z } from 'zod'

/** A change of a chat. A message fits: at most 200 characters, names and an address, below 8000 bytes of a notification. */
const ChatChange = z.object({
  message: ChatMessage.optional(),
  removed: z.array(ChatMessageId).optional(),
  settings: ChatSettings.optional(),
})
export type ChatChange = z.infer<typeof ChatChange>

/** Changes of the chat of a video. */
export const chatOf = (videoId: string): Topic<ChatChange> => ({
  name: `chat/${videoId}`,
  encode: (change) => JSON.stringify(change),
  decode: (text) => ChatChange.parse(JSON.parse(text)),
})
