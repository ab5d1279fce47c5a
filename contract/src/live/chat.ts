import { z } from 'zod'
import { chatMessageMaxCharacters, chatWriters, slowModeMaxSeconds } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { anyRequiredText, atMost } from '../text.ts'
import { VideoId } from '../videos/videos.ts'

export const ChatMessageId = z.string().min(1).max(64)

export const ChatMessage = z.object({
  _id: ChatMessageId,
  text: z.string(),
  sentAt: z.iso.datetime(),
  position: z.number().describe('Seconds from the beginning of the video; negative before it began.'),
  author: z.object({ _id: z.string(), username: z.string(), fullname: z.string(), avatar: z.string() }),
  mark: z
    .enum(['owner', 'team', 'moderator'])
    .nullable()
    .describe('Owner of the video, somebody who works on the channel, or a moderator of the site.'),
})
export type ChatMessage = z.infer<typeof ChatMessage>

export const ChatSettings = z.object({
  writers: z.enum(chatWriters).describe('Those who moderate the chat can always write, while it is open.'),
  slowSeconds: z
    .number()
    .int()
    .min(0)
    .max(slowModeMaxSeconds)
    .describe('Seconds between two messages of the same person; 0 switches slow mode off.'),
})
export type ChatSettings = z.infer<typeof ChatSettings>

export const Chat = ChatSettings.extend({
  startsAt: z.iso.datetime().describe('Position 0: when everybody sees the first frame.'),
  isOpen: z.boolean().describe('Whether messages are sent. A closed chat is replayed with the video.'),
  mayModerate: z.boolean().describe('Whether the caller may remove messages of others.'),
  mayConfigure: z.boolean().describe('Whether the caller may change the settings.'),
  refusal: z
    .enum(['signed_out', 'closed', 'nobody', 'subscribers', 'blocked', 'link'])
    .nullable()
    .describe(
      'Why the caller cannot write; null if they can. `link`: they read it by a share link, and could not see the video otherwise.',
    ),
})
export type Chat = z.infer<typeof Chat>

const params = z.object({ videoId: VideoId })
const messageParams = params.extend({ messageId: ChatMessageId })
const visit = z.string().min(1).max(64).optional().describe('Of a share link, by which the caller reads.')

export const getChat = endpoint({
  name: 'getChat',
  tag: 'chat',
  summary: 'The chat of a video: its settings, and what the caller may do there',
  method: 'GET',
  path: '/chat/:videoId',
  auth: 'optional',
  params,
  query: z.object({ visit }),
  result: Chat,
  message: 'Chat',
})

const seconds = z.coerce.number().min(-1e9).max(1e9).optional()

export const listChatMessages = endpoint({
  name: 'listChatMessages',
  tag: 'chat',
  summary: 'Messages of a chat, latest first; for a replay those between two positions of the video',
  method: 'GET',
  path: '/chat/:videoId/messages',
  auth: 'optional',
  params,
  query: PageQuery.extend({
    after: seconds.describe('Only messages after this position.'),
    until: seconds.describe('Only messages up to this position.'),
    visit,
  }),
  result: z.array(ChatMessage),
  paged: true,
  message: 'Messages',
})

export const followChat = endpoint({
  name: 'followChat',
  tag: 'chat',
  summary: 'Streams what happens in a chat, at most twice a second. Read the messages after it has opened',
  method: 'GET',
  path: '/chat/:videoId/events',
  auth: 'optional',
  params,
  query: z.object({ visit }),
  result: z.null(),
  events: {
    messages: z.array(ChatMessage),
    removed: z.array(ChatMessageId),
    settings: ChatSettings,
  },
  message: 'Server-sent events, until the chat or the session ends',
})

export const sendChatMessage = endpoint({
  name: 'sendChatMessage',
  tag: 'chat',
  summary: 'Sends a message to the chat of a video',
  method: 'POST',
  path: '/chat/:videoId/messages',
  auth: 'required',
  params,
  body: z.object({ text: atMost(anyRequiredText('Text'), 'Text', chatMessageMaxCharacters) }),
  result: ChatMessage,
  status: 201,
  message: 'Message sent',
})

export const removeChatMessage = endpoint({
  name: 'removeChatMessage',
  tag: 'chat',
  summary: 'Removes an own message; of others, moderators and the people of the channel',
  method: 'DELETE',
  path: '/chat/:videoId/messages/:messageId',
  auth: 'required',
  params: messageParams,
  result: z.null(),
  message: 'Message removed',
})

export const putChatSettings = endpoint({
  name: 'putChatSettings',
  tag: 'chat',
  summary: 'Changes who writes in the chat of an own video, and how fast',
  method: 'PUT',
  path: '/chat/:videoId/settings',
  auth: 'required',
  channelRole: 'editor',
  params,
  body: ChatSettings,
  result: ChatSettings,
  message: 'Chat settings saved',
})
