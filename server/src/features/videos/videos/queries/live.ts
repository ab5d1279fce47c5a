import type { Visibility } from '@kinora/contract/videos/videos.ts'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '../../../../context/database.ts'
import { isNotTakenDown, isVisible, type ShareVisit } from '../../../visibility/queries.ts'
import { chatClosesAfter } from '../rules.ts'
import { insertVideo, type VideoFile } from './videos.ts'

/** When the chat of a stream that ends now closes. */
const chatUntil: RawBuilder<Date> = sql`now() + ${chatClosesAfter}::interval`

/** Whether a video is live, and a viewer may see it. */
export async function isLiveFor(db: Db, id: string, viewer: string | ShareVisit | null): Promise<boolean> {
  const { rows } = await sql`
    select from videos v where v.id = ${id} and v.is_live and ${isVisible(viewer)}`.execute(db)
  return rows.length === 1
}

/** Whether a video is live: its file still grows. */
export async function isLive(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('videos').select('isLive').where('id', '=', id).executeTakeFirst()
  return row?.isLive ?? false
}

/** Whether a stream runs, while a video is live until its recording is complete. For queries with a table `video` of videos. */
export const streamRuns = (video: 'v' | 'videos'): RawBuilder<boolean> => sql<boolean>`
  case when ${sql.ref(`${video}.is_live`)} then exists (
    select from live_streams where live_streams.video_id = ${sql.ref(`${video}.id`)} and live_streams.ended_at is null
  ) else false end`

/** Makes an ordinary video of one that was live. The caller holds its lock, and the file has grown to its end. */
export async function updateFinishedLive(db: Db, id: string, file: VideoFile): Promise<void> {
  await db
    .updateTable('videos')
    .set({ ...file, isLive: false, hasStoryboard: false, chatUntil })
    .where('id', '=', id)
    .execute()
}

/** Makes a video of one that was live and whose recording cannot be read. */
export async function failLive(db: Db, id: string): Promise<void> {
  await db
    .updateTable('videos')
    .set({
      isLive: false,
      chatUntil,
      processingState: 'failed',
      processingReason: 'The recording of the live stream cannot be read.',
    })
    .where('id', '=', id)
    .where('isLive', '=', true)
    .execute()
}

/** Details of a live stream that is announced, and when it is to begin. */
interface AnnouncedVideo {
  title: string
  description?: string | undefined
  visibility: Exclude<Visibility, 'private' | 'scheduled'>
  startsAt: Date
}

/** Inserts the row of a live stream that is announced. Nobody sees it as a video. */
export async function insertAnnouncedVideo(
  db: Db,
  {
    id,
    ownerId,
    thumbnail,
    createdAt,
    title,
    description = '',
    visibility,
    startsAt,
  }: AnnouncedVideo & { id: string; ownerId: string; thumbnail: string; createdAt: Date },
): Promise<void> {
  await insertVideo(db, {
    id,
    ownerId,
    thumbnail,
    createdAt,
    title,
    description,
    visibility: 'private',
    announcedVisibility: visibility,
    chatFrom: startsAt,
    isLive: true,
    processingState: 'ready',
    processingProgress: 1,
    ...noFile,
  })
}

const noFile = {
  sourceKey: '',
  sizeBytes: 0,
  durationSeconds: 0,
  width: 0,
  height: 0,
  source: JSON.stringify({ container: 'mp4' }),
} satisfies VideoFile

/** Changes what is announced of a live stream. The caller holds its lock. */
export async function updateAnnouncedVideo(
  db: Db,
  id: string,
  { title, description = '', visibility, startsAt }: AnnouncedVideo,
): Promise<void> {
  await db
    .updateTable('videos')
    .set({ title, description, announcedVisibility: visibility, chatFrom: startsAt })
    .where('id', '=', id)
    .execute()
}

/** Makes a video of an announced stream that has begun. Title, description and owner are those of the announcement. */
export async function updateBegunVideo(
  db: Db,
  video: Insertable<Database['videos']>,
  { keepsThumbnail }: { keepsThumbnail: boolean },
): Promise<void> {
  await sql`
    update videos set announced_visibility = null, visibility = ${video.visibility}, held_visibility = ${video.heldVisibility},
      thumbnail = case when ${keepsThumbnail} then thumbnail else ${video.thumbnail} end,
      source_key = ${video.sourceKey}, size_bytes = ${video.sizeBytes}, duration_seconds = ${video.durationSeconds},
      width = ${video.width}, height = ${video.height}, source = ${video.source}::jsonb, created_at = ${video.createdAt},
      chat_from = ${video.chatFrom}, awaits_publication = ${video.awaitsPublication}
    where id = ${video.id}`.execute(db)
}

/** Shows announcements of streams to nobody that were to begin before a time, except those that were taken down. Returns these, and their channels. */
export async function expireAnnounced(
  db: Db,
  before: Date,
): Promise<{ videoId: string; channelId: string }[]> {
  const { rows } = await sql<{ videoId: string; channelId: string }>`
    update videos set announced_visibility = 'private'
    where announced_visibility in ('public', 'unlisted', 'members') and chat_from < ${before}::timestamptz
      and ${isNotTakenDown('videos')}
    returning id as video_id, owner_id as channel_id`.execute(db)
  return rows
}
