import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isListed, isNotMuted, isUpcoming, isVisible, visitors } from '../../../visibility/queries.ts'
import { isOn } from './muted-kinds.ts'

/** Reminds a user of a premiere or an announced stream when it begins. Returns false for any other video. */
export async function putReminder(db: Db, videoId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into video_reminders (video_id, user_id)
    select v.id, ${userId} from videos v where v.id = ${videoId} and ${isUpcoming(userId)} for share
    on conflict (video_id, user_id) do update set notified_at = null returning 1`.execute(db)
  return rows.length > 0
}

/** Does nothing without a reminder. */
export async function deleteReminder(db: Db, videoId: string, userId: string): Promise<void> {
  await db.deleteFrom('videoReminders').where('videoId', '=', videoId).where('userId', '=', userId).execute()
}

/** Forgets who asked to be reminded of a video that is no premiere any more. */
export async function deleteRemindersOfCancelled(db: Db, videoId: string): Promise<void> {
  await sql`
    delete from video_reminders r using videos v
    where r.video_id = ${videoId} and v.id = r.video_id and v.premiere_at is null`.execute(db)
}

/** Whether a video has begun to which a reminder `r` is: a premiere is public, a stream was announced to some people. */
const hasBegun = sql<boolean>`case
  when v.premiere_at is not null then ${isListed(visitors)}
  else v.announced_visibility is null and ${isVisible(sql.ref<string>('r.user_id'))} end`

/** Notifies some of the people who asked to be reminded of a video, once it has begun. Returns how many. */
export async function insertReminderNotifications(db: Db, videoId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ reminded: number }>`
    with due as (
      select r.video_id, r.user_id from video_reminders r join videos v on v.id = r.video_id
      where r.video_id = ${videoId} and r.notified_at is null and ${hasBegun}
      order by r.user_id limit ${limit} for no key update of r
    ), marked as (
      update video_reminders r set notified_at = now() from due
      where r.video_id = due.video_id and r.user_id = due.user_id returning r.video_id, r.user_id
    ), added as (
      insert into notifications (user_id, kind, video_id)
      select marked.user_id, 'premiere', v.id from marked join videos v on v.id = marked.video_id
      where ${isOn(sql.ref('marked.user_id'), 'premiere')} and ${isNotMuted(sql.ref<string>('marked.user_id'), 'v.owner_id')}
      order by marked.user_id
    )
    select count(*)::int as reminded from marked`.execute(db)
  return rows[0]?.reminded ?? 0
}
