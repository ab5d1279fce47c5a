import { type Failure } from '@kinora/contract/failure.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { conversationErrors } from '@kinora/contract/conversation/errors.ts'
import type { Comment } from '@kinora/contract/conversation/comments.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import {
  deleteCommentNotifications,
  deleteHeldCommentNotifications,
  insertCommentNotification,
  restoreCommentNotifications,
} from '../../messages/notifications/queries/comments.ts'
import { notifyModerators } from '../../messages/notifications/queries/decisions.ts'
import { assertStillHasRole, assertStillWorksOn } from '../../videos/collaborators/actions.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import * as webhooks from '../../messages/webhooks/queries.ts'
import * as changes from './queries/changes.ts'
import * as comments from './queries/comments.ts'
import * as deletions from './queries/deletions.ts'
import * as moderation from './queries/moderation.ts'
import { findLockedText } from './queries/moved-times.ts'
import * as people from './queries/people.ts'
import {
  decideModeration,
  hasLink,
  keptTimeDates,
  mentionsIn,
  type SiteModeration,
  type WatchedWordsRule,
} from './rules.ts'

const commentsAreOff = () => new AppError(conversationErrors.commentsOff)

/** The error of a comment, shown at its text. */
const refused = (failure: Failure) => new AppError(failure, { path: 'content' })

/**
 * Applies the rules of the site and of the channel to a comment, outside of a transaction: no connection waits for long lists of words. Throws `forbidden` for an author whom the owner of the
 * video or somebody it replies to blocked, `invalid` for a comment that a rule refuses.
 */
async function moderateComment(
  db: Db,
  { authorId, content }: { authorId: string; content: string },
  place: Parameters<typeof moderation.findModerationFacts>[2],
  site: SiteModeration,
): Promise<changes.Moderated> {
  const { channel, isBlocked, isApprovedByOwner, ...author } = await moderation.findModerationFacts(
    db,
    authorId,
    place,
    {
      published: site.holdFirstComments,
      publishedLink: site.holdFirstLinks && hasLink(content),
    },
  )
  if (isBlocked) throw refused(conversationErrors.blocked)
  const decision = decideModeration(content, author, site, channel)
  if (decision === 'refuse') throw refused(conversationErrors.wordsNotAllowed)
  return { isHeld: decision !== 'publish', isHeldByChannel: decision === 'holdForChannel', isApprovedByOwner }
}

/** Notifies the moderators of a comment that waits for them, and not for the owner of the video. */
async function notifyIfHeld(
  transaction: Db,
  { isHeld, isHeldByChannel }: changes.Moderated,
  authorId: string,
): Promise<void> {
  if (isHeld && !isHeldByChannel) await notifyModerators(transaction, authorId)
}

/**
 * Adds a comment and notifies whom it concerns. Throws `not_found` for a video that its author may not see, `forbidden`
 * where comments are turned off.
 */
export async function postComment(
  db: Db,
  comment: { videoId: string; authorId: string; content: string },
  site: SiteModeration,
): Promise<Comment> {
  const mentions = await people.listUsernames(db, comment.authorId, mentionsIn(comment.content))
  const moderated = await moderateComment(db, comment, comment, site)
  return db.transaction().execute(async (transaction) => {
    const added = await changes.insertComment(transaction, {
      ...comment,
      mentions,
      ...moderated,
      id: newId(),
    })
    if (!added) {
      const isShown = await comments.hasVideo(transaction, comment.videoId, comment.authorId)
      throw isShown ? commentsAreOff() : videoNotFound()
    }
    await notifyIfHeld(transaction, moderated, comment.authorId)
    await insertCommentNotification(transaction, added._id)
    await webhooks.insertCommentEvent(transaction, added._id)
    return added
  })
}

/** Adds a reply; throws like `postComment`. */
export async function postReply(
  db: Db,
  reply: { parentId: string; authorId: string; content: string },
  site: SiteModeration,
): Promise<Comment> {
  const mentions = await people.listUsernames(db, reply.authorId, mentionsIn(reply.content))
  const moderated = await moderateComment(db, reply, reply, site)
  return db.transaction().execute(async (transaction) => {
    const added = await changes.insertReply(transaction, { ...reply, mentions, ...moderated, id: newId() })
    if (!added) {
      const place = await comments.findPlace(transaction, reply.parentId, reply.authorId)
      throw place && !place.commentsAllowed ? commentsAreOff() : comments.commentNotFound()
    }
    await notifyIfHeld(transaction, moderated, reply.authorId)
    await insertCommentNotification(transaction, added._id)
    await webhooks.insertCommentEvent(transaction, added._id)
    return added
  })
}

/** Changes an own comment, and notifies people it mentions now. Throws `not_found` and `forbidden`. */
export async function changeComment(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { commentId, authorId, content }: { commentId: string; authorId: string; content: string },
  site: SiteModeration,
): Promise<Comment> {
  await assertAuthor(db, commentId, authorId)
  const mentions = await people.listUsernames(db, authorId, mentionsIn(content))
  const moderated = await moderateComment(db, { authorId, content }, { parentId: commentId }, site)
  return db.transaction().execute(async (transaction) => {
    const before = await findLockedText(transaction, commentId)
    const { isHeld } = await changes.updateContent(transaction, commentId, {
      content,
      mentions,
      // like the dates of cuts, and after the wait for the lock
      editedAt: clock.now(),
      timeDates: before ? keptTimeDates(before, content) : null,
      ...moderated,
    })
    await notifyIfHeld(transaction, moderated, authorId)
    if (isHeld) await deleteHeldCommentNotifications(transaction, commentId)
    await insertCommentNotification(transaction, commentId)
    return (await comments.getComment(transaction, commentId, authorId)).comment
  })
}

/** A comment below a video, and who acts on it. */
interface CommentAction {
  videoId: string
  commentId: string
  /** The author, or the owner of the channel of the video. */
  userId: string
  /** The person who does it, where that may be somebody else who works on the channel. */
  actorId?: string
}

/** Pins a comment on an own video or marks it with a heart. Throws `not_found` and `forbidden`. */
export async function markComment(
  db: Db,
  { videoId, commentId, userId, actorId = userId }: CommentAction,
  { isPinned, isHearted }: { isPinned?: boolean | undefined; isHearted?: boolean | undefined },
): Promise<Comment> {
  return db.transaction().execute(async (transaction) => {
    await assertOwner(transaction, commentId, userId, videoId)
    await assertStillWorksOn(transaction, actorId, userId)
    if (isPinned && !(await changes.pinComment(transaction, videoId, commentId)))
      throw new AppError(conversationErrors.cannotBePinned)
    if (isPinned === false) await changes.unpinComment(transaction, commentId)
    if (isHearted !== undefined) await changes.updateHeart(transaction, commentId, isHearted)
    return (await comments.getComment(transaction, commentId, userId)).comment
  })
}

/** Publishes a comment on an own video, and notifies whom it concerns. Throws `not_found` and `forbidden`. */
export async function approveComment(
  db: Db,
  { videoId, commentId, userId, actorId = userId }: CommentAction,
): Promise<Comment> {
  return db.transaction().execute(async (transaction) => {
    await assertOwner(transaction, commentId, userId, videoId)
    await assertStillWorksOn(transaction, actorId, userId)
    await moderation.approveComment(transaction, commentId, userId)
    await insertCommentNotification(transaction, commentId)
    return (await comments.getComment(transaction, commentId, userId)).comment
  })
}

/** Hides a published comment on an own video until it is approved. Throws `not_found` and `forbidden`. */
export async function holdComment(
  db: Db,
  { videoId, commentId, userId, actorId = userId }: CommentAction,
): Promise<Comment> {
  await assertOwner(db, commentId, userId, videoId)
  await changeHeldComments(db, [commentId], 'heldByChannel', (transaction) =>
    assertStillWorksOn(transaction, actorId, userId),
  )
  return (await comments.getComment(db, commentId, userId)).comment
}

/** Publishes comments that wait for approval, or has them wait again, with their notifications. Returns those that changed. */
export async function changeHeldComments(
  db: Db,
  ids: readonly string[],
  state: moderation.HeldState,
  also?: (transaction: Db, changed: { id: string; content: string }[]) => Promise<void>,
  exceptAuthorId: string | null = null,
): Promise<{ id: string; content: string }[]> {
  return db.transaction().execute(async (transaction) => {
    const changed = await moderation.changeHeld(transaction, ids, state, exceptAuthorId)
    const renew = state === 'published' ? insertCommentNotification : deleteHeldCommentNotifications
    for (const { id } of changed) await renew(transaction, id)
    await also?.(transaction, changed)
    return changed
  })
}

/** Deletes an own comment. Throws `not_found` and `forbidden`. */
export async function deleteOwnComment(db: Db, { videoId, commentId, userId }: CommentAction): Promise<void> {
  await assertAuthor(db, commentId, userId, videoId, deletions.isDeletable)
  await withdraw(db, commentId, userId)
}

/** Deletes a comment on an own video. Throws `not_found` and `forbidden`. */
export async function removeComment(
  db: Db,
  { videoId, commentId, userId, actorId = userId }: CommentAction,
): Promise<void> {
  await assertOwner(db, commentId, userId, videoId, deletions.isDeletable)
  await withdraw(db, commentId, userId, (transaction) => assertStillWorksOn(transaction, actorId, userId))
}

async function withdraw(
  db: Db,
  commentId: string,
  userId: string,
  also?: (transaction: Db) => Promise<void>,
): Promise<void> {
  const deleted = await deleteComments(db, [commentId], userId, also)
  if (deleted.length === 0) throw comments.commentNotFound()
}

/** Deletes comments with their notifications, in the name of a user or of `moderation`. Returns those that existed. */
export async function deleteComments(
  db: Db,
  ids: readonly string[],
  deletedBy: string,
  also?: (transaction: Db, deleted: { id: string; content: string }[]) => Promise<void>,
): Promise<{ id: string; content: string }[]> {
  return db.transaction().execute(async (transaction) => {
    const hidden = await deletions.hideComments(transaction, ids, deletedBy)
    for (const { id } of hidden) await deleteCommentNotifications(transaction, id)
    await also?.(transaction, hidden)
    return hidden
  })
}

/** Undoes a deletion by a channel or by the author, with its notifications. Throws `not_found`. */
export async function restoreComment(
  db: Db,
  { videoId, commentId, userId, authorId }: CommentAction & { authorId: string },
): Promise<Comment> {
  return db.transaction().execute(async (transaction) => {
    await assertStillWorksOn(transaction, authorId, userId)
    const deletedBy = [userId, authorId] as const
    if (!(await deletions.restoreComment(transaction, { videoId, commentId, deletedBy })))
      throw comments.commentNotFound()
    await restoreCommentNotifications(transaction, commentId, userId)
    return (await comments.getComment(transaction, commentId, userId)).comment
  })
}

/** Undoes deletions by moderators, with their notifications, within a transaction. Returns the ids of those. */
export async function restoreComments(
  transaction: Db,
  ids: readonly string[],
  exceptAuthorId: string | null,
): Promise<string[]> {
  const restored = await deletions.restoreComments(transaction, ids, exceptAuthorId)
  for (const id of restored) await restoreCommentNotifications(transaction, id)
  return restored
}

/** Replaces the words that a channel watches, by its owner or a manager. */
export async function changeWatchedWords(
  db: Db,
  { channelId, actorId }: { channelId: string; actorId: string },
  words: WatchedWordsRule,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await assertStillHasRole(transaction, actorId, channelId, 'manager')
    await moderation.putWatchedWords(transaction, channelId, words)
  })
}

type IsPresent = typeof deletions.isDeletable

async function assertAuthor(
  db: Db,
  commentId: string,
  userId: string,
  videoId?: string,
  isPresent?: IsPresent,
): Promise<void> {
  const place = await getPlace(db, commentId, userId, videoId, isPresent)
  if (place.authorId !== userId) throw new AppError(conversationErrors.commentNotYours)
}

async function assertOwner(
  db: Db,
  commentId: string,
  userId: string,
  videoId: string,
  isPresent?: IsPresent,
): Promise<void> {
  const place = await getPlace(db, commentId, userId, videoId, isPresent)
  if (place.ownerId !== userId) throw new AppError(videoErrors.videoNotYours)
}

async function getPlace(
  db: Db,
  commentId: string,
  userId: string,
  videoId?: string,
  isPresent?: IsPresent,
): Promise<comments.CommentPlace> {
  const place = await comments.findPlace(db, commentId, userId, isPresent)
  if (!place || (videoId !== undefined && place.videoId !== videoId)) throw comments.commentNotFound()
  return place
}
