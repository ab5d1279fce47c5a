import type { Comment } from '@kinora/contract/comments.ts'
import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import { type PageRequest, toPage } from '../../platform/db/cursor.ts'
import { AppError } from '../../platform/errors.ts'
import { isVisible } from '../visibility/queries.ts'

interface CommentRow {
  id: string
  content: string
  likesCount: number
  createdAt: Date
  liked: boolean
  authorId: string
  username: string
  avatar: string
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
  }
}

/** Comments are visible to viewers of their video. */
const isShown = (viewerId: string | null) =>
  sql<boolean>`exists (select from videos v where v.id = video_id and ${isVisible(viewerId)})`

/** The comments of a video, newest first, as `viewerId` (null when signed out) sees them. */
export async function listComments(
  db: Db,
  videoId: string,
  viewerId: string | null,
  { cursor, limit }: PageRequest,
): Promise<Page<Comment>> {
  const after = cursor ? sql`and (c.created_at, c.id) < (${cursor.at}::timestamptz, ${cursor.id})` : sql``
  const { rows } = await sql<CommentRow>`
    select c.id, c.content, c.likes_count, c.created_at, c.author_id, u.username, u.avatar,
      exists (select from comment_likes l where l.comment_id = c.id and l.user_id = ${viewerId}) as liked
    from comments c join users u on u.id = c.author_id
    where c.video_id = ${videoId} and ${isShown(viewerId)} ${after}
    order by c.created_at desc, c.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toComment, (row) => ({ at: row.createdAt.toISOString(), id: row.id }))
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

/** Adds a comment; undefined if the video does not exist or has comments turned off. */
export async function insertComment(
  db: Db,
  comment: { id: string; videoId: string; authorId: string; content: string },
): Promise<Comment | undefined> {
  const { rows } = await sql<CommentRow>`
    with added as (
      insert into comments (id, video_id, author_id, content)
      select ${comment.id}, v.id, ${comment.authorId}, ${comment.content}
      from videos v
      where v.id = ${comment.videoId} and v.comments_allowed and ${isVisible(comment.authorId)} for key share
      returning *
    )
    select c.id, c.content, c.likes_count, c.created_at, c.author_id, u.username, u.avatar, false as liked
    from added c join users u on u.id = c.author_id`.execute(db)
  return rows[0] && toComment(rows[0])
}

/** The author of a comment under a video; undefined if the viewer cannot see both. */
export async function findAuthorId(
  db: Db,
  videoId: string,
  commentId: string,
  viewerId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('comments')
    .select('authorId')
    .where('id', '=', commentId)
    .where('videoId', '=', videoId)
    .where(isShown(viewerId))
    .executeTakeFirst()
  return row?.authorId
}

/** The owner of the video of a comment; undefined if the viewer cannot see both. */
export async function findVideoOwnerId(
  db: Db,
  videoId: string,
  commentId: string,
  viewerId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('comments')
    .innerJoin('videos', 'videos.id', 'comments.videoId')
    .select('videos.ownerId')
    .where('comments.id', '=', commentId)
    .where('videos.id', '=', videoId)
    .where(isVisible(viewerId, 'videos'))
    .executeTakeFirst()
  return row?.ownerId
}

/** Deletes a comment with its likes. Returns whether it existed. */
export async function deleteComment(db: Db, commentId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('comments').where('id', '=', commentId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Locks a comment until the end of the transaction. Throws `not_found`. */
export async function lockComment(db: Db, id: string, viewerId: string): Promise<void> {
  const row = await db
    .selectFrom('comments')
    .select('id')
    .where('id', '=', id)
    .where(isShown(viewerId))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw commentNotFound()
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
