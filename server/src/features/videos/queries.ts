import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { Captions, DetailedVideo, Processing, Video, VideoProcessing } from '@kinora/contract/videos.ts'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database, Db } from '../../database.ts'
import type { Container } from '../../media/container.ts'
import { LAYOUT } from '../../media/hls.ts'
import type { CaptionInfo, SourceInfo } from '../../media/source-info.ts'
import { type PageRequest, toPage } from '../../platform/db/cursor.ts'
import { tell } from '../../platform/db/signals.ts'
import { AppError } from '../../platform/errors.ts'
import { sourceAddress } from './rules.ts'

/** A row of `videoColumns`. */
export interface VideoRow {
  id: string
  title: string
  description: string
  thumbnail: string
  sourceKey: string
  container: Container
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
  ownerId: string
  ownerUsername: string
  ownerFullname: string
  ownerAvatar: string
  ownerSubscribers: number
}

/**
 * The columns of a video as everybody sees it, for any query that calls the tables
 * `videos v join users o on o.id = v.owner_id`. Views that are not folded in yet count.
 */
export const videoColumns = sql`
  v.id, v.title, v.description, v.thumbnail, v.source_key, v.source->>'container' as container, v.has_storyboard,
  v.duration_seconds, v.width, v.height, v.likes_count, v.created_at,
  v.views + coalesce((select sum(p.views) from pending_views p where p.video_id = v.id), 0) as views,
  v.processing_state, v.processing_progress, v.processing_reason, v.takedown_reason,
  v.owner_id, o.username as owner_username, o.fullname as owner_fullname, o.avatar as owner_avatar,
  o.subscribers_count as owner_subscribers`

/** The one shape of a video, in every list and on its own. */
export function toVideo(row: VideoRow): Video {
  const media = `/media/videos/${row.id}`
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    thumbnail: pictureUrl(row.thumbnail, pictureDefaultWidth.thumbnail),
    videoFile: sourceAddress(row.sourceKey, row.container),
    streamUrl: `${media}/master.m3u8`,
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
    processing:
      row.takedownReason === null
        ? { state: row.processingState, progress: row.processingProgress, reason: row.processingReason }
        : { state: 'taken_down', progress: 1, reason: row.takedownReason },
  }
}

/** Adds a playable video. The caller has made its source and its picture durable. */
export async function insertVideo(db: Db, video: Insertable<Database['videos']>): Promise<void> {
  await db.insertInto('videos').values(video).execute()
}

/** A video by id. Throws `not_found`. */
export async function getVideo(db: Db, id: string): Promise<DetailedVideo> {
  const { rows } = await sql<VideoRow & { captions: CaptionInfo[] | null }>`
    select ${videoColumns}, v.source->'captions' as captions from videos v join users o on o.id = v.owner_id where v.id = ${id} and v.takedown_reason is null`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw videoNotFound()
  return { ...toVideo(row), captions: toCaptions(row.id, row.captions ?? []) }
}

function toCaptions(id: string, captions: CaptionInfo[]): Captions[] {
  return captions.map(({ language, label }, part) => ({
    url: `/media/videos/${id}/${LAYOUT}/captions/${part}.vtt`,
    language,
    label,
  }))
}

export const videoNotFound = () => new AppError('not_found', 'This video does not exist')

/** All videos, newest first. */
export function listVideos(db: Db, page: PageRequest): Promise<Page<Video>> {
  const after = page.cursor
    ? sql`and (v.created_at, v.id) < (${page.cursor.at}::timestamptz, ${page.cursor.id})`
    : sql``
  return listNewest(db, sql`where v.takedown_reason is null ${after}`, page.limit)
}

/** The videos of a channel, newest first; those that were taken down only where they are asked for. */
export function listVideosOfOwner(
  db: Db,
  ownerId: string,
  page: PageRequest,
  { withTakenDown = false } = {},
): Promise<Page<Video>> {
  const after = page.cursor
    ? sql`and (v.created_at, v.id) < (${page.cursor.at}::timestamptz, ${page.cursor.id})`
    : sql``
  const visible = withTakenDown ? sql`` : sql`and v.takedown_reason is null`
  return listNewest(db, sql`where v.owner_id = ${ownerId} ${visible} ${after}`, page.limit)
}

async function listNewest(db: Db, where: RawBuilder<unknown>, limit: number): Promise<Page<Video>> {
  const { rows } = await sql<VideoRow>`
    select ${videoColumns} from videos v join users o on o.id = v.owner_id ${where}
    order by v.created_at desc, v.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toVideo, (row) => ({ at: row.createdAt.toISOString(), id: row.id }))
}

/** Locks a video until the end of the transaction and tells whose it is. Throws `not_found`. */
export async function lockVideo(db: Db, id: string): Promise<{ ownerId: string; thumbnail: string }> {
  const video = await lockAnyVideo(db, id)
  if (video.takedownReason !== null) throw videoNotFound()
  return video
}

/** Locks a video that everybody may see until the end of the transaction, by its own id or its thumbnail's. */
export async function lockShownVideo(
  db: Db,
  id: string,
): Promise<{ id: string; thumbnail: string } | undefined> {
  return db
    .selectFrom('videos')
    .select(['id', 'thumbnail'])
    .where((video) => video.or([video('id', '=', id), video('thumbnail', '=', id)]))
    .where('takedownReason', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks a video, also one that was taken down. */
export async function lockAnyVideo(
  db: Db,
  id: string,
): Promise<{ ownerId: string; thumbnail: string; takedownReason: string | null }> {
  const row = await db
    .selectFrom('videos')
    .select(['ownerId', 'thumbnail', 'takedownReason'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw videoNotFound()
  return row
}

/** What is undefined stays. */
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

/** Replaces what is known of a source. Answers whether it did: others may have learnt something meanwhile, or deleted it. */
export async function replaceSource(
  db: Db,
  id: string,
  known: SourceInfo,
  learnt: SourceInfo,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('videos')
    .set({ source: JSON.stringify(learnt), durationSeconds: learnt.durationSeconds })
    .where('id', '=', id)
    .where('source', '=', sql<SourceInfo>`${JSON.stringify(known)}::jsonb`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Where changes in the preparation of an owner's videos are told, as JSON of VideoProcessing. */
export const processingTopic = (ownerId: string) => `videos.processing/${ownerId}`

/** Notes how far a video is prepared, and tells its owner; nothing happens when it was deleted meanwhile. */
export function updateProcessing(db: Db, id: string, processing: KeptProcessing): Promise<void> {
  return writeProcessing(db, id, processing, sql`true`)
}

/** The same for a step on the way: what has failed meanwhile stays failed. */
export function updateProgress(db: Db, id: string, progress: number): Promise<void> {
  const processing = { state: 'processing', progress, reason: null } as const
  return writeProcessing(db, id, processing, sql`processing_state = 'processing'`)
}

/** The same for the end of the way; `reason` is what its owner should know all the same. */
export function markReady(db: Db, id: string, reason: string | null): Promise<void> {
  const processing = { state: 'ready', progress: 1, reason } as const
  return writeProcessing(db, id, processing, sql`processing_state <> 'failed'`)
}

type KeptProcessing = Processing & { state: VideoRow['processingState'] }

async function writeProcessing(
  db: Db,
  id: string,
  processing: KeptProcessing,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const message: VideoProcessing = { videoId: id, ...processing }
  await sql`
    with changed as (
      update videos set processing_state = ${processing.state}, processing_progress = ${processing.progress},
        processing_reason = ${processing.reason}
      where id = ${id} and ${condition} returning owner_id
    )
    select ${tell(sql`${processingTopic('')} || owner_id`, JSON.stringify(message))} from changed`.execute(db)
}

/** How far those videos of an owner are that are not ready. */
export async function listUnready(db: Db, ownerId: string): Promise<VideoProcessing[]> {
  const { rows } = await sql<VideoProcessing>`
    select id as video_id, processing_state as state, processing_progress as progress, processing_reason as reason
    from videos where owner_id = ${ownerId} and processing_state <> 'ready' and takedown_reason is null
    order by created_at desc, id desc limit 200`.execute(db)
  return rows
}

/** Notes that the preview pictures of a video are made. */
export async function markStoryboard(db: Db, id: string): Promise<void> {
  await db.updateTable('videos').set({ hasStoryboard: true }).where('id', '=', id).execute()
}

/** Takes a video down, or with null brings it back. Throws `not_found`. */
export async function updateTakedown(db: Db, id: string, reason: string | null): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('videos')
    .set({ takedownReason: reason })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw videoNotFound()
}

/** Deletes the row, and with it everything said, liked and watched about it. */
export async function deleteVideo(db: Db, id: string): Promise<void> {
  await db.deleteFrom('videos').where('id', '=', id).execute()
}

/** Changes the kept like count of a video, by the transaction that changes its likes. Answers the new count. */
export async function addToLikesCount(db: Db, id: string, difference: 1 | -1): Promise<number> {
  const row = await db
    .updateTable('videos')
    .set((expression) => ({ likesCount: expression('likesCount', '+', difference) }))
    .where('id', '=', id)
    .returning('likesCount')
    .executeTakeFirstOrThrow()
  return row.likesCount
}

/** Takes a user's likes out of the kept counts, by the transaction that deletes the user. */
export async function takeBackLikes(db: Db, userId: string): Promise<void> {
  // in a statement of its own: the next one then sees what was taken back by who held them before
  await sql`
    select from videos where id in (select video_id from video_likes where user_id = ${userId})
    order by id for no key update`.execute(db)
  await sql`
    update videos set likes_count = likes_count - 1
    where id in (select video_id from video_likes where user_id = ${userId})`.execute(db)
}

/** Views of one video, seen on one day. */
export interface Views {
  videoId: string
  /** Of the last of them. */
  viewedAt: Date
  count: number
}

/** How often videos were seen, by id, as a trigger tells all processes. */
export const ViewCounts = z.record(z.string(), z.number())

/**
 * Notes views, all at once, and answers those videos that there are: how often each was seen, these included, and the
 * number of a row of its views. Waits for nobody but a deletion of one of the videos.
 */
export async function insertViews(
  db: Db,
  views: readonly Views[],
): Promise<{ id: string; views: number; number: number }[]> {
  const { rows } = await sql<{ id: string; views: number; number: number }>`
    with known as (
      -- in one order, as everything that locks several videos
      select id from videos where id = any(${views.map(({ videoId }) => videoId)}::text[]) and takedown_reason is null
      order by id for key share
    ), added as (
      insert into pending_views (video_id, viewed_at, views)
      select known.id, seen.viewed_at, seen.views
      from unnest(
        ${views.map(({ videoId }) => videoId)}::text[], ${views.map(({ viewedAt }) => viewedAt)}::timestamptz[],
        ${views.map(({ count }) => count)}::int[]
      ) seen (video_id, viewed_at, views) join known on known.id = seen.video_id
      returning video_id, number, views
    )
    -- the count as of the beginning, as the pending rows are: a locked row may be newer, and have these in it already
    select v.id, max(a.number) as number, v.views + sum(a.views)
      + coalesce((select sum(p.views) from pending_views p where p.video_id = v.id), 0) as views
    from added a join videos v on v.id = a.video_id group by v.id`.execute(db)
  return rows
}

/**
 * Moves pending views into the counts of at most `limit` videos. One statement, so that a crash loses nothing and
 * counts nothing twice; a video that somebody else has locked is left for the next time. Locks the video before
 * its views, as a deletion does. Answers how many videos had any.
 */
export async function foldViews(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    with chosen as materialized (
      select id from videos where id in (select distinct video_id from pending_views limit ${limit})
      order by id for no key update skip locked
    ), batch as (
      delete from pending_views p using chosen where p.video_id = chosen.id returning p.video_id, p.viewed_at, p.views
    ), days as (
      insert into daily_views (video_id, day, views)
      select video_id, (viewed_at at time zone 'utc')::date, sum(views) from batch group by 1, 2
      on conflict (video_id, day) do update set views = daily_views.views + excluded.views
    )
    update videos set views = videos.views + counted.views
    from (select video_id, sum(views) as views from batch group by video_id) counted
    where videos.id = counted.video_id
    returning videos.id`.execute(db)
  return rows.length
}

export interface ChannelTotals {
  totalViews: number
  totalSubs: number
  totalLikes: number
}

/** What an owner's videos have gathered. */
export async function getTotals(db: Db, ownerId: string): Promise<ChannelTotals> {
  const { rows } = await sql<ChannelTotals>`
    select
      coalesce(sum(v.views + coalesce((select sum(p.views) from pending_views p where p.video_id = v.id), 0)), 0)::bigint
        as total_views,
      coalesce(sum(v.likes_count), 0)::bigint as total_likes,
      (select subscribers_count from users where id = ${ownerId}) as total_subs
    from videos v where v.owner_id = ${ownerId}`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('An aggregate without group by answers one row')
  return totals
}

/** Views of an owner's videos on each of the `days` days (UTC) up to that of `now`, oldest first. */
export async function listViewsByDay(
  db: Db,
  ownerId: string,
  now: Date,
  days: number,
): Promise<{ day: string; views: number }[]> {
  const today = now.toISOString().slice(0, 10)
  const { rows } = await sql<{ day: string; views: number }>`
    with own as (select id from videos where owner_id = ${ownerId}),
    seen as (
      select d.day, d.views from daily_views d join own on own.id = d.video_id
      where d.day > ${today}::date - ${days}::int
      union all
      select (p.viewed_at at time zone 'utc')::date, p.views from pending_views p join own on own.id = p.video_id
    )
    select to_char(calendar.day, 'YYYY-MM-DD') as day, coalesce(sum(seen.views), 0)::bigint as views
    from generate_series(${today}::date - ${days}::int + 1, ${today}::date, interval '1 day') calendar (day)
    left join seen on seen.day = calendar.day::date
    group by calendar.day order by calendar.day`.execute(db)
  return rows
}
