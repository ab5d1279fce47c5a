import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isOn } from './muted-kinds.ts'

/** Notifies a channel of a new subscriber; those since it last read are one notification. */
export async function putSubscriberNotification(
  db: Db,
  channelId: string,
  subscriberId: string,
): Promise<void> {
  if (channelId === subscriberId) return
  await sql`
    insert into notifications as kept (user_id, kind, actor_id)
    select ${channelId}, 'subscriber', ${subscriberId}
    where ${isOn(sql`${channelId}`, 'subscriber')} and not exists (
      select from muted_people m where m.user_id = ${channelId} and m.person_id = ${subscriberId}
    )
    on conflict (user_id) where kind = 'subscriber' and not is_read do update
    set actors_count = kept.actors_count + 1, actor_id = excluded.actor_id, created_at = now()`.execute(db)
}

/**
 * Takes a subscriber out of the unread notifications of new subscribers: of one channel, or of all. Call it before the
 * subscriptions are deleted.
 */
export async function withdrawSubscriber(db: Db, subscriberId: string, channelId?: string): Promise<void> {
  const ofChannel = channelId === undefined ? sql`` : sql`and n.user_id = ${channelId}`
  const isIn = sql`n.kind = 'subscriber' and not n.is_read ${ofChannel} and exists (
    select from subscriptions s
    where s.subscriber_id = ${subscriberId} and s.channel_id = n.user_id and s.created_at >= n.began_at
  )`
  await sql`delete from notifications n where n.actors_count = 1 and ${isIn}`.execute(db)
  await sql`
    update notifications n set actors_count = n.actors_count - 1, actor_id = case
      when n.actor_id = ${subscriberId} then (
        select s.subscriber_id from subscriptions s
        where s.channel_id = n.user_id and s.subscriber_id not in (${subscriberId}, n.user_id)
        order by s.created_at desc limit 1
      )
      else n.actor_id
    end
    where ${isIn}`.execute(db)
}
