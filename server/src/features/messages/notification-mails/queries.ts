import type { NotificationMails } from '@kinora/contract/messages/notification-mails.ts'
import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { maxRejections } from '../mail/rules/mail-kinds.ts'
import { listKinds, replaceKinds } from '../notifications/queries/chosen-kinds.ts'

const defaultHour = 7

/** Notifications of a user by mail; none unless they chose them. */
export async function getChoice(db: Db, userId: string): Promise<NotificationMails> {
  const chosen = await db
    .selectFrom('mailFrequencies')
    .select(['frequency', 'hour'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return {
    frequency: chosen?.frequency ?? 'off',
    hour: chosen?.hour ?? defaultHour,
    kinds: await listKinds(db, 'mailedNotifications', userId),
  }
}

/** Replaces what a user gets by mail. `off` and another frequency discard what waits: a day is not sent as single mails. */
export async function putChoice(
  db: Db,
  userId: string,
  { frequency, hour, kinds }: NotificationMails,
): Promise<void> {
  await replaceKinds(db, 'mailedNotifications', userId, kinds)
  if (frequency === 'off') return disableMails(db, userId)
  await sql`
    delete from notification_mails m using mail_frequencies f
    where m.user_id = ${userId} and f.user_id = m.user_id and f.frequency <> ${frequency}`.execute(db)
  await db
    .insertInto('mailFrequencies')
    .values({ userId, frequency, hour })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ frequency, hour }))
    .execute()
}

/** Ends all mails of notifications to a user. */
export async function disableMails(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('mailFrequencies').where('userId', '=', userId).execute()
  await db.deleteFrom('notificationMails').where('userId', '=', userId).execute()
}

/** Ends the mails of a kind. */
export async function disableMailKind(db: Db, userId: string, kind: NotificationKind): Promise<void> {
  await db.deleteFrom('mailedNotifications').where('userId', '=', userId).where('kind', '=', kind).execute()
}

/** Takes notifications to be mailed one by one out of the queue. */
export async function takeImmediate(
  db: Db,
  limit: number,
): Promise<{ userId: string; notificationId: number }[]> {
  const { rows } = await sql<{ userId: string; notificationId: number }>`
    with due as (
      select m.notification_id from notification_mails m join mail_frequencies f on f.user_id = m.user_id
      where f.frequency = 'immediate' order by m.notification_id limit ${limit} for update of m skip locked
    )
    delete from notification_mails m using due where m.notification_id = due.notification_id
    returning m.user_id, m.notification_id`.execute(db)
  return rows
}

/** Users, by id, whose daily mail is due at an hour and has something to say. */
export async function listDaily(db: Db, hour: number, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select f.user_id from mail_frequencies f
    where f.frequency = 'daily' and f.hour = ${hour} and f.user_id > ${after}
      and exists (select from notification_mails m where m.user_id = f.user_id)
    order by f.user_id limit ${limit}`.execute(db)
  return rows.map(({ userId }) => userId)
}

/** The confirmed address of a user who gets notifications by mail. None if it was rejected too often or the account is suspended. */
export async function findMailRecipient(
  db: Db,
  userId: string,
): Promise<{ email: string; username: string; language: string | null } | undefined> {
  return db
    .selectFrom('users as u')
    .innerJoin('confirmedEmails as c', (join) =>
      join.onRef('c.userId', '=', 'u.id').onRef('c.email', '=', 'u.email'),
    )
    .innerJoin('mailFrequencies as f', 'f.userId', 'u.id')
    .leftJoin('rejectedEmails as r', (join) =>
      join.onRef('r.userId', '=', 'u.id').onRef('r.email', '=', 'u.email'),
    )
    .where('u.id', '=', userId)
    .where('u.suspendedAt', 'is', null)
    .where(sql`coalesce(r.rejections, 0)`, '<', maxRejections)
    .select(['u.email', 'u.username', 'u.language'])
    .executeTakeFirst()
}

/** Ids of the notifications that wait for the daily mail of a user, newest first. */
export async function listWaiting(db: Db, userId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('notificationMails')
    .select('notificationId')
    .where('userId', '=', userId)
    .orderBy('notificationId', 'desc')
    .execute()
  return rows.map(({ notificationId }) => notificationId)
}

/** Discards what waits for the daily mail of a user, up to a notification. */
export async function deleteWaiting(db: Db, userId: string, upTo: number): Promise<void> {
  await db
    .deleteFrom('notificationMails')
    .where('userId', '=', userId)
    .where('notificationId', '<=', upTo)
    .execute()
}
