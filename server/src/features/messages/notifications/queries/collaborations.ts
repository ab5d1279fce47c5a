import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isOn } from './muted-kinds.ts'

/** An invitation to a channel, or an offer of videos. */
type OfferKind = 'collaboration' | 'handover'

/** Notifies somebody of an offer of a channel, at most once a day for each channel. */
export async function insertOfferNotification(
  db: Db,
  kind: OfferKind,
  channelId: string,
  userId: string,
): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, actor_id)
    select ${userId}, ${kind}, ${channelId} where ${isOn(sql`${userId}`, kind)} and not exists (
      select from notifications n
      where n.user_id = ${userId} and n.kind = ${kind} and n.actor_id = ${channelId}
        and n.created_at > now() - interval '1 day'
    )`.execute(db)
}

/** Marks the notification of an offer that was answered or withdrawn as read. */
export async function markOfferAsRead(
  db: Db,
  kind: OfferKind,
  channelId: string,
  userId: string,
): Promise<void> {
  await sql`
    update notifications set is_read = true
    where user_id = ${userId} and kind = ${kind} and actor_id = ${channelId} and not is_read`.execute(db)
}
