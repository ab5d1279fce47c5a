import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isListed, isNotMuted, isVisible, visitors } from '../../../visibility/queries.ts'
import { isOn } from './muted-kinds.ts'

/**
 * Notifies the owner of a video that its preparation has ended; again where it has ended before. An import brings many
 * videos at once, so of these only the failed ones are worth a notification.
 */
export async function notifyProcessingEnded(db: Db, videoId: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, video_id)
    select v.owner_id, 'processing', v.id from videos v
    where v.id = ${videoId} and (v.processing_state = 'failed' or v.processing_state = 'ready' and not exists (
        select from imported_items i where i.user_id = v.owner_id and i.kind = 'video' and i.item_id = v.id
      ))
      and ${isVisible(sql.ref<string>('v.owner_id'))} and ${isOn(sql.ref('v.owner_id'), 'processing')}
    on conflict (video_id, user_id, kind) where kind in ('video', 'processing') do update
    set is_read = false, created_at = now()`.execute(db)
}

/**
 * Notifies the next subscribers, by id, of a public video, but for those who are notified already or by a reminder. Returns the last one, which is null
 * at the end, and whether the video is public.
 */
export async function insertVideoNotifications(
  db: Db,
  videoId: string,
  after: string,
  limit: number,
): Promise<{ last: string | null; isPublic: boolean }> {
  const { rows } = await sql<{ last: string | null; isPublic: boolean }>`
    with batch as materialized (
      select s.subscriber_id, v.id as video_id, v.owner_id
      from videos v join subscriptions s on s.channel_id = v.owner_id
      where v.id = ${videoId} and ${isListed(visitors)} and s.subscriber_id > ${after}
      order by s.subscriber_id limit ${limit}
    ), added as (
      insert into notifications (user_id, kind, video_id)
      select subscriber_id, 'video', video_id from batch
      where subscriber_id <> owner_id and ${isOn(sql.ref('subscriber_id'), 'video')}
        and ${isNotMuted(sql.ref<string>('subscriber_id'), 'owner_id')}
        and not exists (
          select from video_reminders r where r.video_id = batch.video_id and r.user_id = batch.subscriber_id
            and r.notified_at is not null and ${isOn(sql.ref('subscriber_id'), 'premiere')}
        )
      order by subscriber_id on conflict do nothing
    )
    select max(subscriber_id) as last,
      exists (select from videos v where v.id = ${videoId} and ${isListed(visitors)}) as is_public
    from batch`.execute(db)
  return rows[0] ?? { last: null, isPublic: false }
}

/** Whether the subscribers of the owner were notified of a video already. */
export async function isAnnounced(db: Db, videoId: string): Promise<boolean> {
  const row = await db
    .selectFrom('announcedVideos')
    .select('videoId')
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes that the subscribers were notified of a video, unless it is not public any more. */
export async function insertAnnounced(db: Db, videoId: string): Promise<void> {
  await sql`
    insert into announced_videos (video_id) select v.id from videos v
    where v.id = ${videoId} and ${isListed(visitors)} for key share on conflict do nothing`.execute(db)
}

/** Has a hidden video announced again when it becomes public: one that is scheduled, or was public only shortly. */
export async function deleteAnnounced(db: Db, videoId: string): Promise<void> {
  await sql`
    delete from announced_videos announced using videos v
    where announced.video_id = ${videoId} and v.id = announced.video_id and v.visibility <> 'public'
      and (v.visibility = 'scheduled' or announced.announced_at > now() - interval '1 hour')`.execute(db)
}

/** Deletes some notifications about a video of people who may not see it. Returns how many. */
export async function deleteHidden(db: Db, videoId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with hidden as (
      select n.id from notifications n where n.video_id = ${videoId} and not exists (
        select from videos v where v.id = n.video_id and ${isVisible(sql.ref<string>('n.user_id'))}
      ) limit ${limit}
    ), deleted as (delete from notifications using hidden where notifications.id = hidden.id returning 1)
    select count(*) as deleted from deleted`.execute(db)
  return rows[0]?.deleted ?? 0
}
