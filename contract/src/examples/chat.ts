import {
  type ChatMessage,
  followChat,
  getChat,
  listChatMessages,
  putChatSettings,
  removeChatMessage,
  sendChatMessage,
} from '../live/chat.ts'
import { example } from './example.ts'
import { jonas, page, videoId } from './samples.ts'
import { visit } from './share-links.ts'

const messageId = 'Wd8nF2kLr5TzY0cH'

const message: ChatMessage = {
  _id: messageId,
  text: 'The light at minute nine!',
  sentAt: '2026-06-01T18:09:12.000Z',
  position: 552,
  author: jonas,
  mark: null,
}

const settings = { writers: 'subscribers', slowSeconds: 10 } as const

export const chatExamples = [
  example(getChat, {
    params: { videoId },
    query: { visit },
    data: {
      ...settings,
      startsAt: '2026-06-01T18:00:00.000Z',
      isOpen: true,
      mayModerate: false,
      mayConfigure: false,
      refusal: null,
    },
  }),
  example(listChatMessages, {
    params: { videoId },
    query: { ...page, after: 540, until: 600, visit },
    data: [message],
    nextCursor: null,
  }),
  example(followChat, {
    params: { videoId },
    query: { visit },
    data: null,
    events: { messages: [message], removed: [messageId], settings },
  }),
  example(sendChatMessage, { params: { videoId }, body: { text: message.text }, data: message }),
  example(removeChatMessage, { params: { videoId, messageId }, data: null }),
  example(putChatSettings, { params: { videoId }, body: settings, data: settings }),
]
