import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isOn } from './muted-kinds.ts'

/** Notifies somebody of the invitation to a channel, at most once a day for each channel. */
export async function insertInvitationNotification(db: Db, channelId: string, userId: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, actor_id)
    select ${userId}, 'collaboration', ${channelId} where ${isOn(sql`${userId}`, 'collaboration')} and not exists (
      select from notifications n
      where n.user_id = ${userId} and n.kind = 'collaboration' and n.actor_id = ${channelId}
        and n.created_at > now() - interval '1 day'
    )`.execute(db)
}

/** Marks the notification of an invitation that was answered or withdrawn as read. */
export async function markInvitationAsRead(db: Db, channelId: string, userId: string): Promise<void> {
  await sql`
    update notifications set is_read = true
    where user_id = ${userId} and kind = 'collaboration' and actor_id = ${channelId} and not is_read`.execute(
    db,
  )
}
