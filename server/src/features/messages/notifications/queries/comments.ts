import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isNotMuted, isVisible } from '../../../visibility/queries.ts'
import { isOn } from './muted-kinds.ts'

/**
 * Notifies the author of the comment that a comment replies to, the people it mentions and the owner of the video, each of
 * them once. Only the owner is notified of a comment that waits for approval.
 */
export async function insertCommentNotification(db: Db, commentId: string): Promise<void> {
  await insertOfComments(db, sql`c.id = ${commentId}`, { isRead: sql`false`, createdAt: sql`now()` })
}

/**
 * Brings the notifications of a restored comment and of its replies back, with the times of the comments. The person who
 * restored it has seen them.
 */
export async function restoreCommentNotifications(
  db: Db,
  commentId: string,
  restoredBy?: string,
): Promise<void> {
  await insertOfComments(
    db,
    sql`c.deleted_at is null and (c.id = ${commentId} or c.parent_id = ${commentId})`,
    { isRead: sql`person.id = ${restoredBy ?? ''}`, createdAt: sql`c.created_at` },
  )
}

async function insertOfComments(
  db: Db,
  condition: RawBuilder<unknown>,
  { isRead, createdAt }: { isRead: RawBuilder<unknown>; createdAt: RawBuilder<unknown> },
): Promise<void> {
  const personId = sql.ref<string>('person.id')
  await sql`
    insert into notifications (user_id, kind, video_id, comment_id, actor_id, is_read, created_at)
    select distinct on (person.id, c.id) person.id, person.kind, v.id, c.id, c.author_id, ${isRead}, ${createdAt}
    from comments c join videos v on v.id = c.video_id left join comments p on p.id = c.parent_id
    cross join lateral (
      select p.author_id, 'reply', 1 where p.id is not null and not c.is_held
      union all select u.id, 'mention', 2 from unnest(c.mentions) name join users u on lower(u.username) = lower(name)
      where not c.is_held
      union all select v.owner_id, 'comment', 3
    ) person (id, kind, rank)
    where ${condition} and person.id <> c.author_id and ${isVisible(personId)}
      and ${isOn(personId, sql.ref<string>('person.kind'))} and ${isNotMuted(personId, 'c.author_id')}
    order by person.id, c.id, person.rank
    on conflict do nothing`.execute(db)
}

/** Withdraws the notifications of a comment that waits for approval again, except that of the owner of the video. */
export async function deleteHeldCommentNotifications(db: Db, commentId: string): Promise<void> {
  await sql`
    delete from notifications n using videos v
    where n.comment_id = ${commentId} and v.id = n.video_id and n.user_id <> v.owner_id`.execute(db)
}

/** Withdraws the notifications of a comment and of its replies. */
export async function deleteCommentNotifications(db: Db, commentId: string): Promise<void> {
  await sql`
    delete from notifications where comment_id in (
      select id from comments where id = ${commentId} or parent_id = ${commentId}
    )`.execute(db)
}
