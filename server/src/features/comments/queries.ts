import type { Comment, CommentSort, Person } from '@kinora/contract/comments.ts'
import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database.ts'
import { invalidCursor, type PageRequest, toPage } from '../../platform/db/cursor.ts'
import { AppError } from '../../platform/errors.ts'
import { type AuthorHistory, type ChannelModeration, linkPattern, type WatchedWordsRule } from './rules.ts'
import { isNotMuted, isVisible } from '../visibility/queries.ts'

interface CommentRow {
  id: string
  content: string
  likesCount: number
  createdAt: Date
  liked: boolean
  authorId: string
  username: string
  avatar: string
  parentId: string | null
  repliesCount: number
  mentions: string[]
  editedAt: Date | null
  isPinned: boolean
  isHearted: boolean
  isHeld: boolean
}

export const commentNotFound = () => new AppError('not_found', 'This comment does not exist')

function toComment(row: CommentRow): Comment {
  return {
    _id: row.id,
    content: row.content,
    createdAt: row.createdAt.toISOString(),
    likes: row.likesCount,
    liked: row.liked,
    commentOwner: {
      _id: row.authorId,
      username: row.username,
      avatar: pictureUrl(row.avatar, pictureDefaultWidth.avatar),
    },
    parentId: row.parentId,
    replies: row.repliesCount,
    mentions: row.mentions,
    editedAt: row.editedAt?.toISOString() ?? null,
    isPinned: row.isPinned,
    isHearted: row.isHearted,
    isHeld: row.isHeld,
  }
}

/** Columns of a comment `c` by an author `u`, as `viewerId` (null when signed out) sees it. */
const columns = (viewerId: string | null) => sql`
  c.id, c.content, c.likes_count, c.created_at, c.author_id, c.parent_id, c.replies_count, c.mentions, c.edited_at,
  c.is_pinned, c.is_hearted, c.is_held, u.username, u.avatar,
  exists (select from comment_likes l where l.comment_id = c.id and l.user_id = ${viewerId}) as liked`

/** Whether everybody who sees the video sees the comment `c`. */
const isPublished = sql<boolean>`not c.is_held and c.deleted_at is null`

/** Lists show comments to viewers of their video who did not mute the author. */
const isShown = (viewerId: string | null) => sql<boolean>`
  exists (select from videos v where v.id = video_id and ${isVisible(viewerId)}) and ${isNotMuted(viewerId, 'c.author_id')}`

const newestFirst = (row: CommentRow) => ({ at: row.createdAt.toISOString(), id: row.id })

/** The comments of a video without replies, as `viewerId` (null when signed out) sees them. */
export async function listComments(
  db: Db,
  videoId: string,
  viewerId: string | null,
  { cursor, limit }: PageRequest,
  sort: CommentSort = 'newest',
): Promise<Page<Comment>> {
  const isTop = sort === 'top'
  const key = isTop ? sql`c.likes_count, c.created_at, c.id` : sql`c.created_at, c.id`
  const order = isTop
    ? sql`c.likes_count desc, c.created_at desc, c.id desc`
    : sql`c.created_at desc, c.id desc`
  const after = cursor ? sql`and (${key}) < (${isTop ? topPosition(cursor) : newestPosition(cursor)})` : sql``
  const { rows } = await sql<CommentRow>`
    select ${columns(viewerId)} from comments c join users u on u.id = c.author_id
    where c.video_id = ${videoId} and c.parent_id is null and ${isPublished} and ${isShown(viewerId)} ${after}
    order by ${order} limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toComment, (row) => {
    const position = newestFirst(row)
    return isTop ? { ...position, id: `${row.likesCount}-${row.id}` } : position
  })
}

type Position = NonNullable<PageRequest['cursor']>

const newestPosition = ({ at, id }: Position) => sql`${at}::timestamptz, ${id}::text`

function topPosition({ at, id }: Position) {
  const [, likes, commentId] = /^(\d{1,9})-(.+)$/.exec(id) ?? []
  if (!likes || !commentId) throw invalidCursor()
  return sql`${Number(likes)}::integer, ${at}::timestamptz, ${commentId}::text`
}

/** The published replies of a comment, oldest first. */
export async function listReplies(
  db: Db,
  commentId: string,
  viewerId: string | null,
  { cursor, limit }: PageRequest,
): Promise<Page<Comment>> {
  const after = cursor ? sql`and (c.created_at, c.id) > (${newestPosition(cursor)})` : sql``
  const { rows } = await sql<CommentRow>`
    select ${columns(viewerId)} from comments c join users u on u.id = c.author_id
    where c.parent_id = ${commentId} and ${isPublished} and ${isNotMuted(viewerId, 'c.author_id')} ${after}
    order by c.created_at, c.id limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toComment, newestFirst)
}

/** Comments of a video that wait for approval, newest first: all for its owner, else those of the viewer. */
export async function listHeld(
  db: Db,
  videoId: string,
  viewerId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<Comment>> {
  const after = cursor ? sql`and (c.created_at, c.id) < (${newestPosition(cursor)})` : sql``
  const { rows } = await sql<CommentRow>`
    select ${columns(viewerId)}
    from comments c join users u on u.id = c.author_id join videos v on v.id = c.video_id
    where c.video_id = ${videoId} and c.is_held and c.deleted_at is null and ${isVisible(viewerId)}
      and (c.author_id = ${viewerId} or v.owner_id = ${viewerId}) and ${isNotMuted(viewerId, 'c.author_id')}
      and not exists (select from comments p where p.id = c.parent_id and p.deleted_at is not null) ${after}
    order by c.created_at desc, c.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toComment, newestFirst)
}

/** A comment with its parent. Throws `not_found` where the viewer may not see both. */
export async function getComment(
  db: Db,
  id: string,
  viewerId: string | null,
): Promise<{ comment: Comment; parent: Comment | null }> {
  const { rows } = await sql<CommentRow & { isParent: boolean }>`
    select ${columns(viewerId)}, c.id <> asked.id as is_parent
    from comments asked join comments c on c.id in (asked.id, asked.parent_id)
    join users u on u.id = c.author_id join videos v on v.id = c.video_id
    where asked.id = ${id} and c.deleted_at is null and ${isVisible(viewerId)}
      and (not c.is_held or c.author_id = ${viewerId} or v.owner_id = ${viewerId})`.execute(db)
  const asked = rows.find(({ isParent }) => !isParent)
  const parent = rows.find(({ isParent }) => isParent)
  if (!asked || (asked.parentId !== null && !parent)) throw commentNotFound()
  return { comment: toComment(asked), parent: parent ? toComment(parent) : null }
}

export async function findPinned(
  db: Db,
  videoId: string,
  viewerId: string | null,
): Promise<Comment | undefined> {
  const { rows } = await sql<CommentRow>`
    select ${columns(viewerId)} from comments c join users u on u.id = c.author_id
    where c.video_id = ${videoId} and c.is_pinned and ${isPublished} and ${isShown(viewerId)}`.execute(db)
  return rows[0] && toComment(rows[0])
}

export async function hasVideo(db: Db, videoId: string, viewerId: string | null): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('id', '=', videoId)
    .where(isVisible(viewerId, 'videos'))
    .executeTakeFirst()
  return row !== undefined
}

/** The usernames among some names in lower case, without people who blocked the author. */
export async function listUsernames(db: Db, authorId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const { rows } = await sql<{ username: string }>`
    select username from users where lower(username) = any(${names}::text[]) and suspended_at is null
      and not exists (
        select from muted_people m where m.user_id = users.id and m.person_id = ${authorId} and m.is_blocked
      )
    order by lower(username)`.execute(db)
  return rows.map(({ username }) => username)
}

/** Comments that are read for the people of a conversation. */
const recentComments = 200

/** People whose username starts with a text, first those of the conversation below a video; without a text only these. */
export async function listMentionable(
  db: Db,
  videoId: string,
  viewerId: string,
  text: string,
  limit: number,
): Promise<Person[]> {
  const others = sql`
    union all (select id, 1 from users where lower(username) >= ${text} order by lower(username) limit ${sql.lit(limit)})`
  const { rows } = await sql<Person>`
    with found (id, rank) as (
      (select author_id, 0 from comments c where c.video_id = ${videoId} and ${isPublished} limit ${sql.lit(recentComments)})
      union all select owner_id, 0 from videos where id = ${videoId}
      ${text ? others : sql``}
    )
    select u.username, u.fullname, u.avatar from users u join found on found.id = u.id
    where starts_with(lower(u.username), ${text}) and u.suspended_at is null and ${isNotMuted(viewerId, 'u.id')}
    group by u.id order by min(found.rank), lower(u.username) limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ avatar, ...person }) => ({
    ...person,
    avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
  }))
}

/** The decision of the rules about a comment. */
export interface Moderated {
  /** Whether it waits for approval. */
  isHeld: boolean
  /** Whether watched words of the channel hold it. */
  isHeldByChannel: boolean
  /** Whether only the owner of the video has approved a comment of its author before. */
  isApprovedByOwner: boolean
}

export interface NewComment extends Moderated {
  id: string
  videoId: string
  authorId: string
  content: string
  mentions: string[]
}

/** Adds a comment; undefined if the video does not exist or has comments turned off. */
export async function insertComment(db: Db, comment: NewComment): Promise<Comment | undefined> {
  const { rows } = await sql<CommentRow>`
    with added as (
      insert into comments
        (id, video_id, author_id, content, mentions, is_approved_by_owner, is_held_by_channel, is_held)
      select ${comment.id}, v.id, ${comment.authorId}, ${comment.content}, ${comment.mentions}::text[],
        ${comment.isApprovedByOwner}, ${comment.isHeldByChannel}, ${comment.isHeld}
      from videos v
      where v.id = ${comment.videoId} and v.comments_allowed and ${isVisible(comment.authorId)} for key share
      returning *
    )
    select ${columns(null)} from added c join users u on u.id = c.author_id`.execute(db)
  return rows[0] && toComment(rows[0])
}

/** Adds a reply to the thread of a published comment; undefined if there is none, or the video has comments turned off. */
export async function insertReply(
  db: Db,
  { parentId, ...reply }: Omit<NewComment, 'videoId'> & { parentId: string },
): Promise<Comment | undefined> {
  const { rows } = await sql<CommentRow>`
    with thread as (
      select c.id, c.video_id from comments c
      where c.id = (select coalesce(parent_id, id) from comments where id = ${parentId} and deleted_at is null)
        and ${isPublished} for key share
    ), added as (
      insert into comments
        (id, video_id, parent_id, author_id, content, mentions, is_approved_by_owner, is_held_by_channel, is_held)
      select ${reply.id}, v.id, thread.id, ${reply.authorId}, ${reply.content}, ${reply.mentions}::text[],
        ${reply.isApprovedByOwner}, ${reply.isHeldByChannel}, ${reply.isHeld}
      from thread join videos v on v.id = thread.video_id
      where v.comments_allowed and ${isVisible(reply.authorId)} for key share of v
      returning *
    )
    select ${columns(null)} from added c join users u on u.id = c.author_id`.execute(db)
  return rows[0] && toComment(rows[0])
}

/** Who a comment belongs to. */
export interface CommentPlace {
  videoId: string
  authorId: string
  ownerId: string
  commentsAllowed: boolean
}

/** Author and video of a comment; undefined if the viewer cannot see it. */
export async function findPlace(
  db: Db,
  commentId: string,
  viewerId: string,
): Promise<CommentPlace | undefined> {
  const { rows } = await sql<CommentPlace>`
    select c.video_id, c.author_id, v.owner_id, v.comments_allowed from comments c join videos v on v.id = c.video_id
    where c.id = ${commentId} and c.deleted_at is null and ${isVisible(viewerId)}
      and (not c.is_held or c.author_id = ${viewerId} or v.owner_id = ${viewerId})`.execute(db)
  return rows[0]
}

/** Changes the text of a comment. One that waits for approval keeps waiting. Throws `not_found`. */
export async function updateContent(
  db: Db,
  id: string,
  {
    content,
    mentions,
    isHeld,
    isHeldByChannel,
    isApprovedByOwner,
  }: { content: string; mentions: string[] } & Moderated,
): Promise<{ isHeld: boolean }> {
  const { rows } = await sql<{ isHeld: boolean }>`
    update comments c set content = ${content}, mentions = ${mentions}::text[], edited_at = now(), is_hearted = false,
      is_approved_by_owner = c.is_approved_by_owner or ${isApprovedByOwner},
      is_held_by_channel = c.is_held_by_channel or ${isHeldByChannel},
      is_held = c.is_held or ${isHeld}
    where c.id = ${id} and c.deleted_at is null returning is_held`.execute(db)
  const [changed] = rows
  if (!changed) throw commentNotFound()
  return changed
}

/** Pins a comment in place of the pinned one. Returns false for replies and comments that are not published. */
export async function pinComment(db: Db, videoId: string, id: string): Promise<boolean> {
  // one at a time: a video has one pinned comment
  await sql`select from videos where id = ${videoId} for no key update`.execute(db)
  await sql`update comments set is_pinned = false where video_id = ${videoId} and is_pinned`.execute(db)
  const { rows } = await sql`
    update comments c set is_pinned = true
    where c.id = ${id} and c.parent_id is null and ${isPublished} returning 1`.execute(db)
  return rows.length > 0
}

export async function unpinComment(db: Db, id: string): Promise<void> {
  await db.updateTable('comments').set({ isPinned: false }).where('id', '=', id).execute()
}

export async function updateHeart(db: Db, id: string, isHearted: boolean): Promise<void> {
  await db.updateTable('comments').set({ isHearted }).where('id', '=', id).execute()
}

/** Publishes a comment that waits for approval, by the owner of its video. */
export async function approveComment(db: Db, id: string, ownerId: string): Promise<void> {
  await sql`
    update comments set is_held = false, is_held_by_channel = false,
      is_approved_by_owner = exists (select from users where id = ${ownerId} and role = 'member')
    where id = ${id} and is_held`.execute(db)
}

/** Whether a comment waits for approval, by a moderator or by the owner of the video. */
export type HeldState = 'published' | 'heldBySite' | 'heldByChannel'

/** Publishes comments that wait for approval, or has published ones wait. Returns those that changed. */
export async function changeHeld(
  db: Db,
  ids: readonly string[],
  state: HeldState,
  exceptAuthorId: string | null,
): Promise<{ id: string; content: string }[]> {
  const isHeld = state !== 'published'
  const { rows } = await sql<{ id: string; content: string }>`
    update comments set is_held = ${isHeld}, is_held_by_channel = ${state === 'heldByChannel'},
      is_approved_by_owner = false, is_pinned = false
    where id = any(${ids}) and is_held <> ${isHeld} and deleted_at is null
      and author_id is distinct from ${exceptAuthorId} returning id, content`.execute(db)
  return rows
}

/** How long a deletion can be undone; by moderators longer, because the author may answer to it. */
const undoTime = sql`interval '1 hour'`
const moderationUndoTime = sql`interval '30 days'`

/** Stands for moderators where a comment names who deleted it. */
export const moderation = 'moderation'

/** Why all comments of an account are hidden, where a comment names who deleted it. They can be shown again. */
const hideCauses = ['leaving', 'suspension'] as const
export type HideCause = (typeof hideCauses)[number]

/** Hides the comments of an account that is being deleted or suspended. */
export async function hideCommentsOf(db: Db, authorId: string, cause: HideCause): Promise<void> {
  await sql`
    update comments set deleted_at = now(), deleted_by = ${cause}
    where author_id = ${authorId} and deleted_at is null`.execute(db)
}

/** Shows the comments again that `hideCommentsOf` has hidden. */
export async function showCommentsOf(db: Db, authorId: string, cause: HideCause): Promise<void> {
  await sql`
    update comments set deleted_at = null, deleted_by = null
    where author_id = ${authorId} and deleted_by = ${cause}`.execute(db)
}

/** Marks comments as deleted, and unpins them. Returns those that existed. */
export async function hideComments(
  db: Db,
  ids: readonly string[],
  deletedBy: string,
): Promise<{ id: string; content: string }[]> {
  const { rows } = await sql<{ id: string; content: string }>`
    update comments set deleted_at = now(), deleted_by = ${deletedBy}, is_pinned = false
    where id = any(${ids}) and deleted_at is null returning id, content`.execute(db)
  return rows
}

/** Whether the deletion of a comment `c` can be taken back by moderators. */
export const isRestorable = sql<boolean>`c.deleted_by = ${moderation} and c.deleted_at > now() - ${moderationUndoTime}`

/** Takes back deletions by moderators that can still be undone. Returns the ids of those. */
export async function restoreComments(
  db: Db,
  ids: readonly string[],
  exceptAuthorId: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update comments c set deleted_at = null, deleted_by = null
    where c.id = any(${ids}) and ${isRestorable} and c.author_id is distinct from ${exceptAuthorId}
    returning c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes back a deletion by a person. Returns whether there was one. */
export async function restoreComment(
  db: Db,
  { videoId, commentId, deletedBy }: { videoId: string; commentId: string; deletedBy: string },
): Promise<boolean> {
  const { rows } = await sql`
    update comments c set deleted_at = null, deleted_by = null from videos v
    where c.id = ${commentId} and c.video_id = ${videoId} and c.deleted_by = ${deletedBy}
      and c.deleted_at > now() - ${undoTime}
      and v.id = c.video_id and ${isVisible(deletedBy)} returning 1`.execute(db)
  return rows.length > 0
}

/** Deletes comments whose deletion cannot be undone any more. */
export async function deleteRemoved(db: Db): Promise<void> {
  await sql`
    delete from comments where deleted_at < now() - ${undoTime} and coalesce(deleted_by <> all(${hideCauses}::text[]), true)
      and (deleted_by is distinct from ${moderation} or deleted_at < now() - ${moderationUndoTime})`.execute(
    db,
  )
}

/** Deletes some comments of a video, with their replies. Returns how many, replies not counted. */
export async function deleteOfVideo(db: Db, videoId: string, limit: number): Promise<number> {
  return deleteSome(db, sql`video_id = ${videoId}`, limit)
}

/** Deletes some comments of an account, with their replies. Returns how many, replies not counted. */
export async function deleteOfAuthor(db: Db, authorId: string, limit: number): Promise<number> {
  return deleteSome(db, sql`author_id = ${authorId}`, limit)
}

async function deleteSome(db: Db, condition: RawBuilder<unknown>, limit: number): Promise<number> {
  // the rows are chosen before any is deleted: replies go with their comment
  const { rows } = await sql<{ count: number }>`
    with chosen as materialized (select id from comments where ${condition} limit ${limit}),
    deleted as (delete from comments using chosen where comments.id = chosen.id)
    select count(*)::int as count from chosen`.execute(db)
  return rows[0]?.count ?? 0
}

/** Locks a published comment until the end of the transaction. Throws `not_found`. */
export async function lockComment(db: Db, id: string, viewerId: string): Promise<void> {
  const { rows } = await sql`
    select from comments c where c.id = ${id} and ${isPublished} and ${isShown(viewerId)} for no key update`.execute(
    db,
  )
  if (rows.length === 0) throw commentNotFound()
}

/** Subtracts a user's likes from the like counts. Must run in the transaction that deletes the user. */
export async function takeBackLikes(db: Db, userId: string): Promise<void> {
  // a separate statement sees what concurrent holders of the locks committed
  await sql`
    select from comments where id in (select comment_id from comment_likes where user_id = ${userId})
    order by id for no key update`.execute(db)
  await sql`
    update comments set likes_count = likes_count - 1
    where id in (select comment_id from comment_likes where user_id = ${userId})`.execute(db)
}

/** Changes the like count of a comment, in the transaction that changes its likes. Returns the new count. */
export async function addToLikesCount(db: Db, id: string, difference: 1 | -1): Promise<number> {
  const row = await db
    .updateTable('comments')
    .set((expression) => ({ likesCount: expression('likesCount', '+', difference) }))
    .where('id', '=', id)
    .returning('likesCount')
    .executeTakeFirstOrThrow()
  return row.likesCount
}

type Author = AuthorHistory & Pick<Moderated, 'isApprovedByOwner'> & { isBlocked: boolean }

const unwatched: WatchedWordsRule = { watchedWords: '', watchedWordsAction: 'hold' }

const deletedAuthor: Author & ChannelModeration = {
  isBlocked: false,
  isApprovedByOwner: false,
  isTrusted: false,
  hasPublished: false,
  hasPublishedLink: false,
  ...unwatched,
  holdsAll: false,
}

/**
 * Facts that `decideModeration` needs about an author and a video, or the thread of a comment. Earlier comments are only
 * read where they matter.
 */
export async function findAuthorHistory(
  db: Db,
  authorId: string,
  place: { videoId: string } | { parentId: string },
  needs: { published: boolean; publishedLink: boolean },
): Promise<Author & { channel: ChannelModeration }> {
  const ofPlace =
    'videoId' in place
      ? sql`v.id = ${place.videoId}`
      : sql`v.id = (select video_id from comments where id = ${place.parentId})`
  const addressees =
    'videoId' in place
      ? sql`v.owner_id`
      : sql`v.owner_id, (select author_id from comments where id = ${place.parentId}),
          (select t.author_id from comments c join comments t on t.id = c.parent_id where c.id = ${place.parentId})`
  // on one's own video everybody publishes, and on the video of an accomplice the accomplice approves
  const published = sql`
    comments c join videos o on o.id = c.video_id and o.owner_id <> c.author_id
    where c.author_id = ${authorId} and ${isPublished} and (not c.is_approved_by_owner or o.owner_id = v.owner_id)`
  const publishedLink = sql`${published} and c.content ~* ${linkPattern}`
  const { rows } = await sql<Author & ChannelModeration>`
    select coalesce(v.owner_id = ${authorId}, false) or a.role <> 'member' as is_trusted,
      ${needs.published ? sql`exists (select from ${published})` : sql`true`} as has_published,
      ${needs.published ? sql`not exists (select from ${published} and not c.is_approved_by_owner)` : sql`false`}
        or ${needs.publishedLink ? sql`not exists (select from ${publishedLink} and not c.is_approved_by_owner)` : sql`false`}
        as is_approved_by_owner,
      ${needs.publishedLink ? sql`exists (select from ${publishedLink})` : sql`true`}
        as has_published_link,
      exists (
        select from muted_people m
        where m.person_id = ${authorId} and m.is_blocked and m.user_id in (${addressees})
      ) as is_blocked,
      coalesce(w.watched_words, ${unwatched.watchedWords}) as watched_words,
      coalesce(w.watched_words_action, ${unwatched.watchedWordsAction}) as watched_words_action,
      coalesce(v.comments_held and v.owner_id <> ${authorId}, false) as holds_all
    from users a left join videos v on ${ofPlace} and ${isVisible(authorId)}
    left join watched_words w on w.user_id = v.owner_id
    where a.id = ${authorId}`.execute(db)
  const { watchedWords, watchedWordsAction, holdsAll, ...author } = rows[0] ?? deletedAuthor
  return { ...author, channel: { watchedWords, watchedWordsAction, holdsAll } }
}

/** Words that a channel watches. */
export async function getWatchedWords(db: Db, userId: string): Promise<WatchedWordsRule> {
  const row = await db
    .selectFrom('watchedWords')
    .select(['watchedWords', 'watchedWordsAction'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? unwatched
}

export async function putWatchedWords(db: Db, userId: string, words: WatchedWordsRule): Promise<void> {
  await db
    .insertInto('watchedWords')
    .values({ userId, ...words })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(words))
    .execute()
}

/** A comment of the past. */
export interface RestoredComment {
  id: string
  videoId: string
  parentId: string | null
  authorId: string
  content: string
  mentions: string[]
  createdAt: Date
  editedAt: Date | null
  isPinned: boolean
  isHearted: boolean
}

/** Adds an imported comment with its dates, and notifies nobody. A video has one pinned comment: the one that it has stays. */
export async function restoreOldComment(db: Db, comment: RestoredComment): Promise<void> {
  const { isPinned, ...row } = comment
  await db
    .insertInto('comments')
    .values({
      ...row,
      isPinned: isPinned && (await findPinnedId(db, comment.videoId)) === undefined,
    })
    .execute()
}

async function findPinnedId(db: Db, videoId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('comments')
    .select('id')
    .where('videoId', '=', videoId)
    .where('isPinned', '=', true)
    .executeTakeFirst()
  return row?.id
}

/** Locks those of the comments that still exist until the end of the transaction, and returns them. */
export async function lockComments(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from comments where id = any(${ids}::text[]) order by id for no key update`.execute(db)
  return rows.map(({ id }) => id)
}

/** Adds one to the like counts of comments. The caller holds their locks. */
export async function addLikes(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update comments set likes_count = likes_count + 1 where id = any(${ids}::text[])`.execute(db)
}
