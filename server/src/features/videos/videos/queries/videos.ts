import type { RowDifference } from '@kinora/platform/db/change-row.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { VideoMetadata } from '@kinora/contract/videos/video-metadata.ts'
import type { SensitiveMark } from '@kinora/contract/sensitive-mark.ts'
import type { DetailedVideo, Video, Visibility } from '@kinora/contract/videos/videos.ts'
import { type Insertable, sql } from 'kysely'
import type { Database, Db } from '../../../../context/database.ts'
import type { Container } from '@kinora/media/source/container.ts'
import type { KeptRange } from '@kinora/media/plan/cut.ts'
import type { CaptionInfo, ChapterInfo, SourceInfo } from '@kinora/media/source/source-info.ts'
import { AppError } from '@kinora/platform/errors.ts'
import {
  type AddedCaptions,
  cutAddress,
  listCaptions,
  listChapters,
  movedTimes,
  sourceAddress,
} from '../rules.ts'
import { addedCaptions } from './added-captions.ts'
import { introsOf } from './intros.ts'
import { metadataColumns, toMetadata } from './metadata.ts'
import { isVisible, type ShareVisit, mayViewVideo } from '../../../visibility/queries.ts'
import { causeOfProcessing } from '../rules.ts'

/** A row of `videoColumns`. */
export interface VideoRow {
  id: string
  title: string
  description: string
  thumbnail: string
  sourceKey: string
  container: Container
  cut: KeptRange[] | null
  hasStoryboard: boolean
  durationSeconds: number
  width: number
  height: number
  views: number
  likesCount: number
  createdAt: Date
  processingState: Exclude<Video['processing']['state'], 'taken_down'>
  processingProgress: number
  processingReason: string | null
  takedownReason: string | null
  visibility: Visibility
  heldVisibility: Visibility | null
  publishAt: Date | null
  premiereAt: Date | null
  sensitiveReason: string | null
  sensitiveByModerator: boolean
  isLive: boolean
  ownerId: string
  ownerUsername: string
  ownerFullname: string
  ownerAvatar: string
  ownerSubscribers: number
}

/**
 * The public columns of a video, for queries with the tables `videos v join users o on o.id = v.owner_id`. Includes
 * pending views.
 */
export const videoColumns = sql`
  v.id, v.title, v.description, v.thumbnail, v.source_key, v.source->>'container' as container, v.cut, v.has_storyboard,
  v.duration_seconds, v.width, v.height, v.likes_count, v.created_at,
  v.views + coalesce((select sum(p.views) from pending_views p where p.video_id = v.id), 0) as views,
  v.processing_state, v.processing_progress, v.processing_reason, v.takedown_reason, v.visibility, v.held_visibility, v.publish_at, v.premiere_at,
  v.sensitive_reason, v.sensitive_by_moderator, v.is_live,
  v.owner_id, o.username as owner_username, o.fullname as owner_fullname, o.avatar as owner_avatar,
  o.subscribers_count as owner_subscribers`

export const streamUrlOf = (videoId: string) => `/media/videos/${videoId}/master.m3u8`

/** Whether viewers may make clips, for queries with the tables of `videoColumns`: as the video says, the channel, or else for public videos. */
export const clipsAllowed = sql<boolean>`coalesce(v.clips_allowed, o.clips_allowed, v.visibility = 'public')`

/** Chooses whether a video plays with the intro and the outro of its channel. The caller holds the lock of the video. */
export async function updatePlaysIntros(db: Db, id: string, playsIntros: boolean): Promise<void> {
  await db.updateTable('videos').set({ playsIntros }).where('id', '=', id).execute()
}

/** Chooses whether viewers may make clips; null for the choice of the channel. The caller holds the lock of the video. */
export async function updateClipsAllowed(db: Db, id: string, allowed: boolean | null): Promise<void> {
  await db.updateTable('videos').set({ clipsAllowed: allowed }).where('id', '=', id).execute()
}

/** The response shape of a video, in lists and alone. */
export function toVideo(row: VideoRow): Video {
  const media = `/media/videos/${row.id}`
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    thumbnail: pictureUrl(row.thumbnail, pictureDefaultWidth.thumbnail),
    // the file has what was cut of the video
    videoFile: row.cut ? streamUrlOf(row.id) : sourceAddress(row.sourceKey, row.container),
    streamUrl: streamUrlOf(row.id),
    storyboardUrl: row.hasStoryboard ? `${media}/storyboard.vtt` : null,
    duration: row.durationSeconds,
    width: row.width,
    height: row.height,
    views: row.views,
    createdAt: row.createdAt.toISOString(),
    totalSubs: row.ownerSubscribers,
    totalLikes: row.likesCount,
    videoOwner: {
      _id: row.ownerId,
      username: row.ownerUsername,
      fullname: row.ownerFullname,
      avatar: pictureUrl(row.ownerAvatar, pictureDefaultWidth.avatar),
    },
    visibility: row.visibility,
    ...(row.heldVisibility !== null && { heldVisibility: row.heldVisibility }),
    ...(row.premiereAt !== null && { premiereAt: row.premiereAt.toISOString() }),
    ...(row.sensitiveReason !== null && { sensitive: toSensitiveMark(row.sensitiveReason, row) }),
    ...(row.isLive && { isLive: true as const }),
    processing:
      row.takedownReason === null
        ? {
            state: row.processingState,
            progress: row.processingProgress,
            reason: row.processingReason,
            ...causeOfProcessing(row.processingReason),
          }
        : { state: 'taken_down', progress: 1, reason: row.takedownReason },
  }
}

const toSensitiveMark = (
  reason: string,
  { sensitiveByModerator }: Pick<VideoRow, 'sensitiveByModerator'>,
): SensitiveMark => ({ reason, ...(sensitiveByModerator && { byModerator: true as const }) })

/** Inserts a playable video. The caller has stored its source and thumbnail durably. */
export async function insertVideo(db: Db, video: Insertable<Database['videos']>): Promise<void> {
  await db.insertInto('videos').values(video).execute()
}

/** A video as a viewer may see it; null for visitors. Throws `not_found`. */
export async function getVideo(
  db: Db,
  id: string,
  viewerId: string | ShareVisit | null = null,
): Promise<DetailedVideo> {
  const { rows } = await sql<
    VideoRow &
      VideoMetadata & {
        replacement: string | null
        descriptionCut: KeptRange[] | null
        captions: CaptionInfo[] | null
        chapters: ChapterInfo[] | null
        added: AddedCaptions[] | null
        hasChat: boolean
        clipsAllowed: boolean
        intros: { intro?: string; outro?: string } | null
      }
  >`
    select ${videoColumns}, ${metadataColumns}, v.replacement, v.description_cut, v.source->'captions' as captions, v.source->'chapters' as chapters,
      ${addedCaptions} as added, v.chat_from is not null as has_chat, ${clipsAllowed} as clips_allowed,
      ${introsOf(viewerId)} as intros
    from videos v join users o on o.id = v.owner_id where v.id = ${id} and ${isVisible(viewerId)}`.execute(db)
  const [row] = rows
  if (!row) throw videoNotFound()
  const moved = movedTimes(row)
  return {
    ...toVideo(row),
    ...toMetadata(row),
    ...(row.cut && { downloadFile: cutAddress(row.id, row.cut) }),
    captions: listCaptions(row, row.captions ?? [], row.added ?? []).map(
      ({ url, language, label, isAutomatic }) => ({ url, language, label, isAutomatic }),
    ),
    chapters: listChapters(row, row.chapters),
    ...(moved && { movedTimes: moved }),
    clipsAllowed: row.clipsAllowed,
    ...(row.intros?.intro !== undefined && { introId: row.intros.intro }),
    ...(row.intros?.outro !== undefined && { outroId: row.intros.outro }),
    ...(row.hasChat && { hasChat: true as const }),
  }
}

export const videoNotFound = () => new AppError(videoErrors.videoNotFound)

/** The owner of a video, for reads that lock nothing. Throws `not_found`, also where the viewer may not know of it. */
export async function getOwnerOf(db: Db, id: string, viewerId: string): Promise<{ ownerId: string }> {
  const video = await db.selectFrom('videos').select('ownerId').where('id', '=', id).executeTakeFirst()
  if (!video || !(await mayViewVideo(db, id, viewerId))) throw videoNotFound()
  return video
}

/** The description of a video, and the cut that its times were written for. */
export async function getDescription(
  db: Db,
  id: string,
): Promise<{ description: string; descriptionCut: KeptRange[] | null }> {
  const row = await db
    .selectFrom('videos')
    .select(['description', 'descriptionCut'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, descriptionCut: row.descriptionCut as KeptRange[] | null }
}

/** Undefined fields stay. */
export async function updateVideo(
  db: Db,
  id: string,
  changes: { title?: string | undefined; description?: string | undefined },
): Promise<void> {
  await sql`
    update videos set
      title = coalesce(${changes.title ?? null}, title),
      description = coalesce(${changes.description ?? null}, description)
    where id = ${id}`.execute(db)
}

/** Changes the thumbnail. The caller holds the lock of the video. */
export async function updateThumbnail(db: Db, id: string, thumbnail: string): Promise<void> {
  await db.updateTable('videos').set({ thumbnail }).where('id', '=', id).execute()
}

/** Changes what viewers see of the file of a video; null for all of it. The caller holds its lock. */
export async function updateCut(
  db: Db,
  id: string,
  cut: KeptRange[] | null,
  durationSeconds: number,
): Promise<void> {
  await db
    .updateTable('videos')
    .set({ cut: cut && JSON.stringify(cut), durationSeconds })
    .where('id', '=', id)
    .execute()
}

/** Replaces the `SourceInfo` of a file, unless it or the file was changed or deleted meanwhile. Returns whether it did. */
export async function replaceSource(
  db: Db,
  { id, sourceKey, source: known }: { id: string; sourceKey: string; source: SourceInfo },
  learnt: SourceInfo,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('videos')
    .set({
      source: JSON.stringify(learnt),
      durationSeconds: sql<number>`case when cut is null then ${learnt.durationSeconds}::float8 else duration_seconds end`,
    })
    .where('id', '=', id)
    .where('sourceKey', '=', sourceKey)
    .where('source', '=', sql<SourceInfo>`${JSON.stringify(known)}::jsonb`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Everything about the file of a video that comes from the file. */
export type VideoFile = Pick<
  Insertable<Database['videos']>,
  'sourceKey' | 'sizeBytes' | 'durationSeconds' | 'width' | 'height' | 'source'
>

/** The columns of a stored file. */
export const toVideoFile = (sourceKey: string, source: SourceInfo): VideoFile => ({
  sourceKey,
  sizeBytes: source.sizeBytes,
  durationSeconds: source.durationSeconds,
  width: source.video.displayWidth,
  height: source.video.displayHeight,
  source: JSON.stringify(source),
})

/** Gives a video another file. The caller holds the lock of the video and has stored the file durably. */
export async function updateFile(
  db: Db,
  id: string,
  file: VideoFile & { replacement: string },
): Promise<void> {
  await db
    .updateTable('videos')
    .set({ ...file, hasStoryboard: false, cut: null, descriptionCut: null })
    .where('id', '=', id)
    .execute()
}

/** Marks a video as sensitive, or with null removes the mark. The caller holds its lock. */
export async function updateSensitiveMark(
  db: Db,
  id: string,
  sensitiveReason: string | null,
  sensitiveByModerator: boolean,
): Promise<void> {
  await db
    .updateTable('videos')
    .set({ sensitiveReason, sensitiveByModerator: sensitiveReason !== null && sensitiveByModerator })
    .where('id', '=', id)
    .execute()
}

/** Takes a video down, or with null reinstates it. Throws `not_found`. */
export async function updateTakedown(db: Db, id: string, reason: string | null): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('videos')
    .set({ takedownReason: reason })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw videoNotFound()
}

/** Takes videos down, or with null reinstates them. The caller holds their locks. */
export async function updateTakedowns(db: Db, ids: readonly string[], reason: string | null): Promise<void> {
  await sql`update videos set takedown_reason = ${reason} where id = any(${ids}::text[])`.execute(db)
}

/** Deletes the row with its comments, likes and views. */
export async function deleteVideo(db: Db, id: string): Promise<void> {
  await db.deleteFrom('videos').where('id', '=', id).execute()
}

/** Changes the like count of a video, in the transaction that changes its likes. Returns the new count. */
export async function addToLikesCount(db: Db, id: string, difference: RowDifference): Promise<number> {
  const row = await db
    .updateTable('videos')
    .set((expression) => ({ likesCount: expression('likesCount', '+', difference) }))
    .where('id', '=', id)
    .returning('likesCount')
    .executeTakeFirstOrThrow()
  return row.likesCount
}

/** Subtracts a user's likes from the like counts, in the transaction that deletes the user. */
export async function subtractLikesBy(db: Db, userId: string): Promise<void> {
  // a separate statement sees what concurrent holders of the locks committed
  await sql`
    select from videos where id in (select video_id from video_likes where user_id = ${userId})
    order by id for no key update`.execute(db)
  await sql`
    update videos set likes_count = likes_count - 1
    where id in (select video_id from video_likes where user_id = ${userId})`.execute(db)
}

/** Adds one to the like counts of videos. The caller holds their locks. */
export async function addLikes(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update videos set likes_count = likes_count + 1 where id = any(${ids}::text[])`.execute(db)
}

/** Gives an imported video the dates and the visibility that it had. The caller holds its lock. */
export async function restoreState(
  db: Db,
  id: string,
  state: Pick<Insertable<Database['videos']>, 'visibility' | 'heldVisibility' | 'publishAt' | 'createdAt'>,
): Promise<void> {
  const awaitsPublication = state.visibility === 'scheduled'
  await db
    .updateTable('videos')
    .set({ ...state, awaitsPublication })
    .where('id', '=', id)
    .execute()
}

/** Gives videos another owner. Triggers give what belongs to them, and index them. */
export async function updateOwner(db: Db, ids: readonly string[], ownerId: string): Promise<void> {
  await sql`update videos set owner_id = ${ownerId} where id = any(${ids}::text[])`.execute(db)
}
