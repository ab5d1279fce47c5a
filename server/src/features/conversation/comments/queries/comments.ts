import { conversationErrors } from '@kinora/contract/conversation/errors.ts'
import type { Comment, CommentSort, ReceivedComment } from '@kinora/contract/conversation/comments.ts'
import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { isNotBeingHidden, isNotMuted, isVisible } from '../../../visibility/queries.ts'

export interface CommentRow {
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

export const commentNotFound = () => new AppError(conversationErrors.commentNotFound)

export function toComment(row: CommentRow): Comment {
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
export const columns = (viewerId: string | null) => sql`
  c.id, c.content, c.likes_count, c.created_at, c.author_id, c.parent_id, c.replies_count, c.mentions, c.edited_at,
  c.is_pinned, c.is_hearted, c.is_held, u.username, u.avatar,
  exists (select from comment_likes l where l.comment_id = c.id and l.user_id = ${viewerId}) as liked`

/** Whether everybody who sees the video sees the comment `c`. */
export const isPublished = sql<boolean>`not c.is_held and c.deleted_at is null and ${isNotBeingHidden('c.author_id')}`

/** Lists show comments to viewers of their video who did not mute the author. */
export const isShown = (viewerId: string | null) => sql<boolean>`
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
  const split = id.indexOf('-')
  return sql`${id.slice(0, split)}::integer, ${at}::timestamptz, ${id.slice(split + 1)}::text`
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

/** Comments on all videos of `ownerId`, newest first: those that wait for approval, or the published ones. */
export async function listReceived(
  db: Db,
  { ownerId, viewerId }: { ownerId: string; viewerId: string },
  show: 'held' | 'published',
  { cursor, limit }: PageRequest,
): Promise<Page<ReceivedComment>> {
  const after = cursor ? sql`and (c.created_at, c.id) < (${newestPosition(cursor)})` : sql``
  const state = show === 'held' ? sql`c.is_held and c.deleted_at is null` : isPublished
  const { rows } = await sql<ReceivedRow>`
    select ${columns(viewerId)}, c.video_id, v.title as video_title, v.thumbnail
    from videos v join comments c on c.video_id = v.id join users u on u.id = c.author_id
    where v.owner_id = ${ownerId} and ${state} and ${isVisible(ownerId)} and ${isNotMuted(ownerId, 'c.author_id')}
      and not exists (select from comments p where p.id = c.parent_id and p.deleted_at is not null) ${after}
    order by c.created_at desc, c.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toReceived, newestFirst)
}

type ReceivedRow = CommentRow & { videoId: string; videoTitle: string; thumbnail: string }

const toReceived = (row: ReceivedRow): ReceivedComment => ({
  ...toComment(row),
  video: {
    _id: row.videoId,
    title: row.videoTitle,
    thumbnail: pictureUrl(row.thumbnail, pictureDefaultWidth.thumbnail),
  },
})

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

/** Author of a comment, and owner of its video. */
export interface CommentPlace {
  videoId: string
  authorId: string
  ownerId: string
  commentsAllowed: boolean
}

/** Author and video of a comment; undefined if the viewer cannot see it. `isPresent` replaces what deleted comments fail. */
export async function findPlace(
  db: Db,
  commentId: string,
  viewerId: string,
  isPresent = sql<boolean>`c.deleted_at is null`,
): Promise<CommentPlace | undefined> {
  const { rows } = await sql<CommentPlace>`
    select c.video_id, c.author_id, v.owner_id, v.comments_allowed from comments c join videos v on v.id = c.video_id
    where c.id = ${commentId} and ${isPresent} and ${isVisible(viewerId)}
      and (not c.is_held or c.author_id = ${viewerId} or v.owner_id = ${viewerId})`.execute(db)
  return rows[0]
}
