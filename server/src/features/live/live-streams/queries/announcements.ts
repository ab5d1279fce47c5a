import { announcedMinutesBefore } from '@kinora/contract/constants.ts'
import type { AnnouncedStream, StreamAnnouncement } from '@kinora/contract/live/announcements.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { hourMs } from '@kinora/platform/durations.ts'
import { type Insertable, sql } from 'kysely'
import type { Database, Db } from '../../../../context/database.ts'
import {
  insertAnnouncedVideo,
  updateAnnouncedVideo,
  updateBegunVideo,
} from '../../../videos/videos/queries/live.ts'
import { findLockedVideo } from '../../../videos/videos/queries/lock-videos.ts'
import { isNotTakenDown } from '../../../visibility/queries.ts'

interface AnnouncedRow {
  videoId: string
  title: string
  description: string
  visibility: AnnouncedStream['visibility']
  keepsRecording: boolean
  startsAt: Date
  thumbnail: string
  hasExpired: boolean
  takedownReason: string | null
  reminders: number
}

const selectAnnounced = sql`
  select v.id as video_id, v.title, v.description, a.visibility, a.keeps_recording, v.chat_from as starts_at, v.thumbnail,
    v.announced_visibility = 'private' as has_expired, v.takedown_reason,
    (select count(*)::int from video_reminders r where r.video_id = v.id) as reminders
  from videos v join live_announcements a on a.video_id = v.id`

const toAnnounced = ({ startsAt, thumbnail, ...row }: AnnouncedRow): AnnouncedStream => ({
  ...row,
  startsAt: startsAt.toISOString(),
  thumbnail: pictureUrl(thumbnail, pictureDefaultWidth.thumbnail),
})

/** Streams that a channel has announced and not begun, the earliest first. */
export async function listAnnounced(db: Db, channelId: string): Promise<AnnouncedStream[]> {
  const { rows } = await sql<AnnouncedRow>`
    ${selectAnnounced} where v.owner_id = ${channelId} and v.announced_visibility is not null
    order by v.chat_from, v.id`.execute(db)
  return rows.map(toAnnounced)
}

export async function findAnnounced(
  db: Db,
  channelId: string,
  videoId: string,
): Promise<AnnouncedStream | undefined> {
  const { rows } = await sql<AnnouncedRow>`
    ${selectAnnounced} where v.id = ${videoId} and v.owner_id = ${channelId} and v.announced_visibility is not null`.execute(
    db,
  )
  return rows[0] && toAnnounced(rows[0])
}

/** How many of the streams that a channel has announced are not taken down. */
export async function countAnnounced(db: Db, channelId: string): Promise<number> {
  const { count } = await db
    .selectFrom('videos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ownerId', '=', channelId)
    .where('announcedVisibility', 'is not', null)
    .where(isNotTakenDown('videos'))
    .executeTakeFirstOrThrow()
  return count
}

/** Details of a stream that is announced. */
export type Announced = Omit<StreamAnnouncement, 'startsAt'> & { startsAt: Date }

/** Announces a stream, by a video without a file. The caller has stored its thumbnail, which the site has drawn. */
export async function insertAnnouncement(
  db: Db,
  { id, ownerId, thumbnail, now }: { id: string; ownerId: string; thumbnail: string; now: Date },
  announced: Announced,
): Promise<void> {
  await insertAnnouncedVideo(db, { id, ownerId, thumbnail, createdAt: now, ...announced })
  const { visibility, keepsRecording } = announced
  await db
    .insertInto('liveAnnouncements')
    .values({ videoId: id, visibility, keepsRecording, drawnPicture: thumbnail })
    .execute()
}

/** Changes an announcement, whose row the caller has locked. One that has expired is announced again. */
export async function updateAnnouncement(db: Db, videoId: string, announced: Announced): Promise<void> {
  await updateAnnouncedVideo(db, videoId, announced)
  const { visibility, keepsRecording } = announced
  await db
    .updateTable('liveAnnouncements')
    .set({ visibility, keepsRecording })
    .where('videoId', '=', videoId)
    .execute()
}

/** Notes that a channel has chosen the picture of its announced stream. */
export async function keepPicture(db: Db, videoId: string): Promise<void> {
  await db
    .updateTable('liveAnnouncements')
    .set({ drawnPicture: null })
    .where('videoId', '=', videoId)
    .execute()
}

type DueStream = Announced & { videoId: string }

/** The announced stream that begins if a channel streams now: of those that are due, the one whose time is the nearest. */
export async function findDue(db: Db, channelId: string, now: Date): Promise<DueStream | undefined> {
  const { rows } = await sql<DueStream>`
    select v.id as video_id, v.title, v.description, a.visibility, a.keeps_recording, v.chat_from as starts_at
    from videos v join live_announcements a on a.video_id = v.id
    where v.owner_id = ${channelId} and v.announced_visibility <> 'private' and ${isNotTakenDown()}
      and v.chat_from <= ${new Date(now.getTime() + (announcedMinutesBefore * hourMs) / 60)}::timestamptz
    order by abs(extract(epoch from v.chat_from - ${now}::timestamptz)), v.id limit 1`.execute(db)
  return rows[0]
}

/**
 * Makes a video of an announced stream whose first part has arrived. Returns the drawn picture that the frame has replaced, or
 * null if the channel's own picture stays; undefined if the announcement was cancelled, changed or taken down meanwhile: visibility and
 * recording of what has arrived follow from it. Locks the video first, as all changes of announcements do.
 */
export async function beginAnnounced(
  db: Db,
  video: Insertable<Database['videos']>,
  { visibility, keepsRecording }: Pick<Announced, 'visibility' | 'keepsRecording'>,
): Promise<{ drawnPicture: string | null } | undefined> {
  const locked = await findLockedVideo(db, video.id)
  if (locked?.takedownReason !== null) return undefined
  const announced = await db
    .deleteFrom('liveAnnouncements')
    .where('videoId', '=', video.id)
    .where('visibility', '=', visibility)
    .where('keepsRecording', '=', keepsRecording)
    .returning('drawnPicture')
    .executeTakeFirst()
  if (!announced) return undefined
  await updateBegunVideo(db, video, { keepsThumbnail: announced.drawnPicture === null })
  return announced
}
