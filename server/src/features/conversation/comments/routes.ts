import type { Comment } from '@kinora/contract/conversation/comments.ts'
import * as contract from '@kinora/contract/conversation/comments.ts'
import type { WebContext } from '../../../context/context.ts'
import { defaultLimit, toPageRequest } from '@kinora/platform/db/cursor.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { assertBelowNewAccountLimit } from '../../accounts/new-accounts/actions.ts'
import { recordActivity } from '../../videos/collaborators/actions.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import * as actions from './actions.ts'
import * as comments from './queries/comments.ts'
import * as moderation from './queries/moderation.ts'
import { withMovedTimes } from './queries/moved-times.ts'
import * as people from './queries/people.ts'
import { writeLimit } from '../../../context/limits.ts'

/** Replies of a page. */
const repliesLimit = 20

/** People that are offered for a mention. */
const peopleLimit = 8

const recordModeration = (
  context: WebContext,
  channel: { id: string },
  user: { id: string },
  videoId: string,
) =>
  recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'comments_moderated', videoId })

/** A comment that changed, with where its times lead. */
async function withMovedTime({ db }: WebContext, comment: Comment): Promise<Comment> {
  const [moved = comment] = await withMovedTimes(db, { commentId: comment._id }, [comment])
  return moved
}

export const commentRoutes = [
  route(
    contract.listComments,
    { cacheTags: ['comments', 'videos', 'channels'] },
    async ({ params, query, user }, { db }: WebContext) => {
      const viewerId = user?.id ?? null
      const request = toPageRequest(query, defaultLimit, query.sort === 'top' ? 'countedId' : 'id')
      const page = await comments.listComments(db, params.videoId, viewerId, request, query.sort)
      const mayBeUnknown = page.items.length === 0
      if (mayBeUnknown && !(await comments.hasVideo(db, params.videoId, viewerId))) throw videoNotFound()
      return { ...page, items: await withMovedTimes(db, params, page.items) }
    },
  ),

  route(contract.addComment, { clears: ['comments'] }, async ({ body, user }, context: WebContext) => {
    const { db, limits, siteSettings } = context
    limits.of(writeLimit).assertAllowed(user.id)
    await assertBelowNewAccountLimit(context, user.id, 'comments')
    return actions.postComment(db, { ...body, authorId: user.id }, siteSettings.current)
  }),

  route(contract.listReplies, async ({ params, query, user }, { db }: WebContext) => {
    const viewerId = user?.id ?? null
    // throws where the thread is not visible
    await comments.getComment(db, params.commentId, viewerId)
    const page = await comments.listReplies(
      db,
      params.commentId,
      viewerId,
      toPageRequest(query, repliesLimit),
    )
    return { ...page, items: await withMovedTimes(db, params, page.items) }
  }),

  route(contract.addReply, { clears: ['comments'] }, async ({ params, body, user }, context: WebContext) => {
    const { db, limits, siteSettings } = context
    limits.of(writeLimit).assertAllowed(user.id)
    await assertBelowNewAccountLimit(context, user.id, 'comments')
    const reply = { parentId: params.commentId, authorId: user.id, ...body }
    return actions.postReply(db, reply, siteSettings.current)
  }),

  route(
    contract.editComment,
    { clears: ['comments'] },
    async ({ params, body, user }, context: WebContext) => {
      context.limits.of(writeLimit).assertAllowed(user.id)
      const changed = { commentId: params.commentId, authorId: user.id, ...body }
      const comment = await actions.changeComment(context, changed, context.siteSettings.current)
      return withMovedTime(context, comment)
    },
  ),

  route(contract.getComment, async ({ params, user }, { db }: WebContext) => {
    const found = await comments.getComment(db, params.commentId, user?.id ?? null)
    const both = found.parent ? [found.comment, found.parent] : [found.comment]
    const [comment = found.comment, parent = null] = await withMovedTimes(db, params, both)
    return { comment, parent }
  }),

  route(
    contract.getPinnedComment,
    { cacheTags: ['comments', 'videos', 'channels'] },
    async ({ params, user }, { db }: WebContext) => {
      const viewerId = user?.id ?? null
      const pinned = await comments.findPinned(db, params.videoId, viewerId)
      if (!pinned && !(await comments.hasVideo(db, params.videoId, viewerId))) throw videoNotFound()
      const [shown = null] = await withMovedTimes(db, params, pinned ? [pinned] : [])
      return shown
    },
  ),

  route(
    contract.markComment,
    { clears: ['comments'] },
    async ({ params, body, channel, user }, context: WebContext) => {
      const action = { ...params, userId: channel.id, actorId: user.id }
      const comment = await actions.markComment(context.db, action, body)
      await recordModeration(context, channel, user, params.videoId)
      return withMovedTime(context, comment)
    },
  ),

  route(contract.listHeldComments, async ({ params, query, channel }, { db }: WebContext) => {
    const page = await comments.listHeld(db, params.videoId, channel.id, toPageRequest(query))
    if (page.items.length === 0 && !(await comments.hasVideo(db, params.videoId, channel.id)))
      throw videoNotFound()
    return page
  }),

  route(contract.listReceivedComments, ({ query, channel, user }, { db }: WebContext) =>
    comments.listReceived(db, { ownerId: channel.id, viewerId: user.id }, query.show, toPageRequest(query)),
  ),

  route(
    contract.approveComment,
    { clears: ['comments'] },
    async ({ params, channel, user }, context: WebContext) => {
      const action = { ...params, userId: channel.id, actorId: user.id }
      const comment = await actions.approveComment(context.db, action)
      await recordModeration(context, channel, user, params.videoId)
      return withMovedTime(context, comment)
    },
  ),

  route(
    contract.holdComment,
    { clears: ['comments'] },
    async ({ params, channel, user }, context: WebContext) => {
      const action = { ...params, userId: channel.id, actorId: user.id }
      const comment = await actions.holdComment(context.db, action)
      await recordModeration(context, channel, user, params.videoId)
      return withMovedTime(context, comment)
    },
  ),

  route(contract.listMentionable, async ({ params, query, user }, { db }: WebContext) => {
    if (!(await comments.hasVideo(db, params.videoId, user.id))) throw videoNotFound()
    return people.listMentionable(db, params.videoId, user.id, (query.text ?? '').toLowerCase(), peopleLimit)
  }),

  route(
    contract.removeComment,
    { clears: ['comments'] },
    async ({ params, channel, user }, context: WebContext) => {
      await actions.removeComment(context.db, { ...params, userId: channel.id, actorId: user.id })
      await recordModeration(context, channel, user, params.videoId)
      return null
    },
  ),

  route(contract.deleteComment, { clears: ['comments'] }, async ({ params, user }, { db }: WebContext) => {
    await actions.deleteOwnComment(db, { ...params, userId: user.id })
    return null
  }),

  route(
    contract.restoreComment,
    { clears: ['comments'] },
    async ({ params, user, channel }, context: WebContext) => {
      const restored = { ...params, userId: channel.id, authorId: user.id }
      return withMovedTime(context, await actions.restoreComment(context.db, restored))
    },
  ),

  route(contract.getWatchedWords, ({ channel }, { db }: WebContext) =>
    moderation.getWatchedWords(db, channel.id),
  ),

  route(contract.putWatchedWords, { clears: [] }, async ({ body, channel, user }, context: WebContext) => {
    const who = { channelId: channel.id, actorId: user.id }
    await actions.changeWatchedWords(context.db, who, body)
    await recordActivity(context, { ...who, action: 'channel_changed' })
    return moderation.getWatchedWords(context.db, channel.id)
  }),
]
