import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import { isVisible } from '../../visibility/queries.ts'

/** The stored like count of a video. Throws `not_found`. */
export async function getVideoLikesCount(db: Db, videoId: string, viewerId: string | null): Promise<number> {
  const row = await db
    .selectFrom('videos')
    .select('likesCount')
    .where('id', '=', videoId)
    .where(isVisible(viewerId, 'videos'))
    .executeTakeFirst()
  if (!row) throw videoNotFound()
  return row.likesCount
}

/** Whether a user likes a video; undefined if the video does not exist. */
export async function findVideoLike(db: Db, videoId: string, userId: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ liked: boolean }>`
    select exists (select from video_likes l where l.video_id = v.id and l.user_id = ${userId}) as liked
    from videos v where v.id = ${videoId} and ${isVisible(userId)}`.execute(db)
  return rows[0]?.liked
}

/** Whether a user likes a comment; undefined if the comment does not exist. */
export async function findCommentLike(
  db: Db,
  commentId: string,
  userId: string,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ liked: boolean }>`
    select exists (select from comment_likes l where l.comment_id = c.id and l.user_id = ${userId}) as liked
    from comments c join videos v on v.id = c.video_id
    where c.id = ${commentId} and c.deleted_at is null and not c.is_held and ${isVisible(userId)}`.execute(db)
  return rows[0]?.liked
}

/** Returns whether the user did not like the video before. */
export async function insertVideoLike(db: Db, videoId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into video_likes (video_id, user_id) values (${videoId}, ${userId})
    on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

/** Returns whether the user liked the video before. */
export async function deleteVideoLike(db: Db, videoId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from video_likes where video_id = ${videoId} and user_id = ${userId} returning 1`.execute(db)
  return rows.length === 1
}

/** Returns whether the user did not like the comment before. */
export async function insertCommentLike(db: Db, commentId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into comment_likes (comment_id, user_id) values (${commentId}, ${userId})
    on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

/** Returns whether the user liked the comment before. */
export async function deleteCommentLike(db: Db, commentId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from comment_likes where comment_id = ${commentId} and user_id = ${userId} returning 1`.execute(db)
  return rows.length === 1
}

/**
 * Adds likes of visible videos with their dates, as an import brings them. Returns the videos that were not liked before;
 * the caller counts them. The caller holds the locks of the videos.
 */
export async function restoreVideoLikes(
  db: Db,
  userId: string,
  likes: readonly { videoId: string; createdAt: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    insert into video_likes (video_id, user_id, created_at)
    select video_id, ${userId}, least(created_at, now())
    from unnest(${likes.map(({ videoId }) => videoId)}::text[], ${likes.map(({ createdAt }) => createdAt)}::timestamptz[])
      as restored (video_id, created_at)
    on conflict do nothing returning video_id`.execute(db)
  return rows.map(({ videoId }) => videoId)
}

/** As `restoreVideoLikes`, for comments. */
export async function restoreCommentLikes(
  db: Db,
  userId: string,
  likes: readonly { commentId: string; createdAt: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ commentId: string }>`
    insert into comment_likes (comment_id, user_id, created_at)
    select comment_id, ${userId}, least(created_at, now())
    from unnest(${likes.map(({ commentId }) => commentId)}::text[], ${likes.map(({ createdAt }) => createdAt)}::timestamptz[])
      as restored (comment_id, created_at)
    on conflict do nothing returning comment_id`.execute(db)
  return rows.map(({ commentId }) => commentId)
}
