import * as contract from '@kinora/contract/live/chat.ts'
import { liveErrors } from '@kinora/contract/live/errors.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route, type Route } from '@kinora/platform/http/routing/route.ts'
import { readCredential } from '@kinora/platform/http/security/api-token.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { WebContext } from '../../../context/context.ts'
import { writeLimit } from '../../../context/limits.ts'
import { assertBelowNewAccountLimit } from '../../accounts/new-accounts/actions.ts'
import { onSessionEnd } from '../../accounts/sessions/actions.ts'
import { mayViewPoster } from '../../visibility/queries.ts'
import { recordActivity } from '../../videos/collaborators/actions.ts'
import { Chats } from './actions/follow-chat.ts'
import { changeSettings, removeMessage, sendMessage } from './actions/send-message.ts'
import { chatMessageLimit, chatStreamSlots } from './limits.ts'
import * as queries from './queries.ts'
import { refusalOf } from './rules.ts'

/** Messages of a page: those that somebody sees who joins. */
const messagesShown = 100

/** Somebody who reads the chat of a video: as an account, if that may see it, or else by a share link. */
async function findReader(
  { db, clock }: Pick<WebContext, 'db' | 'clock'>,
  videoId: string,
  user: { id: string } | null,
  { visit }: { visit?: string | undefined },
): Promise<queries.ChatReader> {
  const userId = user?.id ?? null
  if (visit === undefined || (await mayViewPoster(db, videoId, userId))) return userId
  return { tokenHash: hashOfToken(visit), now: clock.now() }
}

export function chatRoutes(): Route<WebContext>[] {
  const chats = new Chats()
  return [
    route(contract.getChat, async ({ params, query, user }, context: WebContext) => {
      const reader = await findReader(context, params.videoId, user, query)
      const chat = await queries.getChat(context.db, params.videoId, reader)
      const hasLink = typeof reader === 'object' && reader !== null
      const { startsAt, writers, slowSeconds, isOpen, mayModerate, isOfChannel } = chat
      return {
        startsAt: startsAt.toISOString(),
        writers,
        slowSeconds,
        isOpen,
        mayModerate,
        mayConfigure: isOfChannel,
        refusal: hasLink && chat.isOpen ? 'link' : refusalOf(chat, user !== null),
      }
    }),

    route(contract.listChatMessages, async ({ params, query, user }, context: WebContext) => {
      const reader = await findReader(context, params.videoId, user, query)
      const page = await queries.listMessages(
        context.db,
        params.videoId,
        reader,
        toPageRequest(query, messagesShown),
        query,
      )
      // throws where there is no chat
      if (page.items.length === 0) await queries.getChat(context.db, params.videoId, reader)
      return page
    }),

    route(contract.followChat, async ({ params, query, user, request, stream }, context: WebContext) => {
      const { db, limits } = context
      const { videoId } = params
      await using _slot = user && (await limits.of(chatStreamSlots).take(user.id))
      using _session =
        user &&
        (await onSessionEnd(context, { token: readCredential(request) ?? '', userId: user.id }, () =>
          stream.end(),
        ))
      const mutedIds = new Set(user?.hasMuted ? await queries.listMutedIds(db, user.id) : [])
      await using _room = await chats.follow(context, videoId, stream, mutedIds)
      // after subscribing, otherwise a change of the visibility in between would be missed
      await queries.getChat(db, videoId, await findReader(context, videoId, user, query))
      stream.start()
      await stream.ended
      return null
    }),

    route(
      contract.sendChatMessage,
      { clears: [], isAudited: false },
      async ({ params, body, user }, context: WebContext) => {
        const { limits } = context
        limits.of(writeLimit).assertAllowed(user.id)
        const retryAfterSeconds = limits.of(chatMessageLimit).take(user.id)
        if (retryAfterSeconds > 0) throw new AppError(liveErrors.chatFast, { retryAfterSeconds })
        await assertBelowNewAccountLimit(context, user.id, 'comments')
        return sendMessage(context, { videoId: params.videoId, userId: user.id, text: body.text })
      },
    ),

    route(contract.removeChatMessage, { clears: [] }, async ({ params, user }, context: WebContext) => {
      await removeMessage(context, { ...params, userId: user.id })
      return null
    }),

    route(
      contract.putChatSettings,
      { clears: [] },
      async ({ params, body, channel, user }, context: WebContext) => {
        const { videoId } = params
        await changeSettings(context, { videoId, channelId: channel.id, actorId: user.id }, body)
        await recordActivity(context, {
          channelId: channel.id,
          actorId: user.id,
          action: 'comments_moderated',
          videoId,
        })
        return body
      },
    ),
  ]
}
