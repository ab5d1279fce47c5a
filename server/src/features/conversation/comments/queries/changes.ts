import type { Comment } from '@kinora/contract/conversation/comments.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isVisible } from '../../../visibility/queries.ts'
import type { TimeDates } from '../rules.ts'
import { columns, commentNotFound, type CommentRow, isPublished, toComment } from './comments.ts'

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

/** Changes the text of a comment. One that waits for approval keeps waiting. Throws `not_found`. */
export async function updateContent(
  db: Db,
  id: string,
  {
    content,
    mentions,
    editedAt,
    timeDates,
    isHeld,
    isHeldByChannel,
    isApprovedByOwner,
  }: { content: string; mentions: string[]; editedAt: Date; timeDates: TimeDates | null } & Moderated,
): Promise<{ isHeld: boolean }> {
  const { rows } = await sql<{ isHeld: boolean }>`
    update comments c set content = ${content}, mentions = ${mentions}::text[], edited_at = ${editedAt}::timestamptz, is_hearted = false,
      time_dates = ${timeDates && JSON.stringify(timeDates)}::jsonb,
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

export interface ImportedComment {
  id: string
  videoId: string
  parentId: string | null
  authorId: string
  content: string
  mentions: string[]
  createdAt: Date
  editedAt: Date | null
  timeDates: TimeDates | null
  isPinned: boolean
  isHearted: boolean
}

/**
 * Adds an imported comment with its dates, and notifies nobody. A date after the present, which would keep the comment on top,
 * becomes the present. A video has one pinned comment: the one that it has stays.
 */
export async function insertImportedComment(db: Db, comment: ImportedComment): Promise<void> {
  const { isPinned, createdAt, editedAt, timeDates, ...row } = comment
  await db
    .insertInto('comments')
    .values({
      ...row,
      createdAt: notAfterNow(createdAt),
      editedAt: editedAt && notAfterNow(editedAt),
      timeDates: timeDates && JSON.stringify(timeDates),
      isPinned: isPinned && (await findPinnedId(db, comment.videoId)) === undefined,
    })
    .execute()
}

const notAfterNow = (date: Date) => sql<Date>`least(${date}::timestamptz, now())`

async function findPinnedId(db: Db, videoId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('comments')
    .select('id')
    .where('videoId', '=', videoId)
    .where('isPinned', '=', true)
    .executeTakeFirst()
  return row?.id
}
