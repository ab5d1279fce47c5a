import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isOn } from './muted-kinds.ts'

/** Notifies somebody of a sign-in with a device that is new for the account. */
export async function insertSignInNotification(db: Db, userId: string, device: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, device)
    select ${userId}, 'sign_in', ${device} where ${isOn(sql`${userId}`, 'sign_in')}`.execute(db)
}

/** Notifies the owner of a webhook that it is paused. */
export async function insertWebhookNotification(db: Db, userId: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind)
    select ${userId}, 'webhook' where ${isOn(sql`${userId}`, 'webhook')}`.execute(db)
}

/** Notifies a channel that a live stream which it had announced has not begun. */
export async function insertExpiredNotification(db: Db, userId: string, videoId: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, video_id)
    select ${userId}, 'live_expired', ${videoId} where ${isOn(sql`${userId}`, 'live_expired')}`.execute(db)
}
