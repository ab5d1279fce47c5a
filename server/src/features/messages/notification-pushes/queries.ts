import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import type { PushTarget } from '@kinora/platform/push/push-sender.ts'

/** The address to which a session has subscribed. */
export async function findEndpoint(db: Db, sessionHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('pushSubscriptions')
    .select('endpoint')
    .where('sessionHash', '=', sessionHash)
    .executeTakeFirst()
  return row?.endpoint
}

/** Replaces the subscription of a session. A browser has one, so it is taken from the session that had it before. */
export async function putSubscription(
  db: Db,
  {
    userId,
    sessionHash,
    endpoint,
    p256dh,
    auth,
  }: PushTarget & {
    userId: string
    sessionHash: Buffer
  },
): Promise<void> {
  await sql`
    delete from push_subscriptions where endpoint = ${endpoint} or session_hash = ${sessionHash}::bytea`.execute(
    db,
  )
  // nothing for a session that has ended meanwhile; of two concurrent calls, the first one
  await sql`
    insert into push_subscriptions (session_hash, user_id, endpoint, p256dh, auth)
    select token_hash, user_id, ${endpoint}, ${p256dh}, ${auth} from sessions
    where token_hash = ${sessionHash}::bytea and user_id = ${userId} for key share
    on conflict do nothing`.execute(db)
}

/** Deletes the oldest subscriptions of a user until `max` are left. */
export async function deleteOldestSubscriptions(db: Db, userId: string, max: number): Promise<void> {
  await sql`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId} order by created_at desc, id desc offset ${max}
    )`.execute(db)
}

export async function deleteSubscriptionOf(db: Db, sessionHash: Buffer): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('sessionHash', '=', sessionHash).execute()
}

export async function deleteSubscription(db: Db, id: number): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('id', '=', id).execute()
}

/** Takes notifications out of the queue: one row for each subscription of their user, or one with null if there is none. */
export async function takeDue(
  db: Db,
  limit: number,
): Promise<{ userId: string; notificationId: number; subscriptionId: number | null }[]> {
  const { rows } = await sql<{ userId: string; notificationId: number; subscriptionId: number | null }>`
    with due as (
      select notification_id from notification_pushes order by notification_id limit ${limit} for update skip locked
    ), taken as (
      delete from notification_pushes p using due where p.notification_id = due.notification_id
      returning p.user_id, p.notification_id
    )
    select taken.user_id, taken.notification_id, s.id as subscription_id
    from taken left join push_subscriptions s on s.user_id = taken.user_id`.execute(db)
  return rows
}

/** A subscription and the language that its account has chosen, unless its session has expired or the account is suspended. */
export async function findTarget(
  db: Db,
  id: number,
  now: Date,
): Promise<(PushTarget & { userId: string; language: string | null }) | undefined> {
  return db
    .selectFrom('pushSubscriptions as p')
    .innerJoin('sessions as s', 's.tokenHash', 'p.sessionHash')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .where('p.id', '=', id)
    .where('s.expiresAt', '>', now)
    .where('u.suspendedAt', 'is', null)
    .select(['p.userId', 'p.endpoint', 'p.p256dh', 'p.auth', 'u.language'])
    .executeTakeFirst()
}
