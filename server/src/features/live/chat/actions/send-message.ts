import type { Chat, ChatMessage, ChatSettings } from '@kinora/contract/live/chat.ts'
import { conversationErrors } from '@kinora/contract/conversation/errors.ts'
import { liveErrors } from '@kinora/contract/live/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { assertStillWorksOn } from '../../../videos/collaborators/actions.ts'
import { decideModeration } from '../../../conversation/comments/rules.ts'
import * as queries from '../queries.ts'
import { refusalOf, slowModeWait } from '../rules.ts'
import { chatOf } from '../topics.ts'

type ChatContext = Pick<Context, 'db' | 'pubsub' | 'siteSettings'>

const refusals = {
  signed_out: liveErrors.chatClosed,
  closed: liveErrors.chatClosed,
  nobody: liveErrors.chatClosed,
  subscribers: liveErrors.chatForSubscribers,
  blocked: conversationErrors.blocked,
  link: liveErrors.chatClosed,
} satisfies Record<NonNullable<Chat['refusal']>, unknown>

/**
 * Sends a message to the chat of a video. Nobody approves messages: one with words for which a comment would wait is refused. Throws `not_found`, `forbidden`, `invalid`, and `too_many_requests` in slow mode.
 */
export async function sendMessage(
  { db, pubsub, siteSettings }: ChatContext,
  { videoId, userId, text }: { videoId: string; userId: string; text: string },
): Promise<ChatMessage> {
  const chat = assertMayWrite(await queries.getChat(db, videoId, userId))
  // outside of the transaction: no connection waits for long lists of words
  const { watchedWords, watchedWordsAction } = chat
  const author = { isTrusted: chat.mayModerate, hasPublished: true, hasPublishedLink: true }
  const channel = { watchedWords, watchedWordsAction, holdsAll: false }
  if (decideModeration(text, author, siteSettings.current, channel) !== 'publish')
    throw new AppError(liveErrors.chatWords, { path: 'text' })
  return db.transaction().execute(async (transaction) => {
    await queries.lockSender(transaction, userId)
    const now = assertMayWrite(await queries.getChat(transaction, videoId, userId))
    const waitMs = slowModeWait(now, now.msSinceLast)
    if (waitMs > 0) throw new AppError(liveErrors.chatSlow, { waitMs }, { retryAfterSeconds: waitMs / 1000 })
    const message = await queries.insertMessage(transaction, { id: newId(), videoId, userId, text })
    await pubsub.publish(transaction, chatOf(videoId), { message })
    return message
  })
}

function assertMayWrite(chat: queries.ChatRow): queries.ChatRow {
  const refusal = refusalOf(chat, true)
  if (refusal) throw new AppError(refusals[refusal])
  return chat
}

/** Removes a message for everybody. Throws `not_found`, and `forbidden` for one of somebody else in a chat that one does not moderate. */
export async function removeMessage(
  { db, pubsub }: ChatContext,
  message: { videoId: string; messageId: string; userId: string },
): Promise<void> {
  await queries.getChat(db, message.videoId, message.userId)
  await db.transaction().execute(async (transaction) => {
    if (!(await queries.removeMessage(transaction, message))) {
      const isThere = await queries.hasMessage(transaction, message.videoId, message.messageId)
      throw new AppError(isThere ? liveErrors.messageNotYours : liveErrors.messageNotFound)
    }
    await pubsub.publish(transaction, chatOf(message.videoId), { removed: [message.messageId] })
  })
}

/** Changes the settings of a chat of a channel, for everybody who reads it. Throws `not_found`. */
export async function changeSettings(
  { db, pubsub }: ChatContext,
  { actorId, ...chat }: { videoId: string; channelId: string; actorId: string },
  settings: ChatSettings,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await assertStillWorksOn(transaction, actorId, chat.channelId)
    await queries.putSettings(transaction, chat, settings)
    await pubsub.publish(transaction, chatOf(chat.videoId), { settings })
  })
}
