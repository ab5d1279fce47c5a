import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import type { Bitrates, TrackBitrates } from '@kinora/media/plan/measured-bitrates.ts'
import type { KeptRange } from '@kinora/media/plan/cut.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import { segmentFolderOf } from '../videos/rules.ts'
import { isListed, isVisibleToEverybody, isNotTakenDown, visitors } from '../../visibility/queries.ts'

export interface PlayableVideo {
  id: string
  sourceKey: string
  source: SourceInfo
  /** Folder of its segments, in addresses and in the storage. */
  folder: string
  /** Measured bitrates of its tracks; empty until it is prepared. */
  bitrates: TrackBitrates
  /** Whether everybody who has the URL may read its bytes. */
  isOpen: boolean
  /** Ranges of the source that viewers see; null for all of it. */
  cut: KeptRange[] | null
  hasStoryboard: boolean
  /** Whether the AV1 renditions of its file were encoded. */
  hasAv1: boolean
}

/** Folder of the segments of a video, as `segmentFolderOf` returns it. */
const folderOfVideo = sql<string>`${SEGMENT_FORMAT}::text || coalesce('v' || videos.replacement, '')`

/** Everything needed to play a video that is not live, without a check of visibility. Throws `not_found`. */
export async function getPlayable(db: Db, id: string): Promise<PlayableVideo> {
  const row = await db
    .selectFrom('videos')
    .select([
      'id',
      'sourceKey',
      'source',
      'replacement',
      'hasStoryboard',
      'cut',
      isVisibleToEverybody('videos').as('isOpen'),
    ])
    .select(
      sql<TrackBitrates>`coalesce((
        select jsonb_object_agg(track, jsonb_build_object('peakBps', peak_bps, 'averageBps', average_bps))
        from track_bitrates where video_id = videos.id), '{}')`.as('bitrates'),
    )
    .select(
      sql<boolean>`exists (select from av1_ladders
        where video_id = videos.id and folder = ${folderOfVideo} and is_ready)`.as('hasAv1'),
    )
    .where('id', '=', id)
    // its source still grows
    .where('isLive', '=', false)
    .where(isNotTakenDown('videos'))
    .executeTakeFirst()
  if (!row) throw videoNotFound()
  const { replacement, source, cut, ...video } = row
  // only uploads write `source`, from a `SourceInfo`, and only `updateCut` writes `cut`
  return {
    ...video,
    source: source as SourceInfo,
    cut: cut as KeptRange[] | null,
    folder: segmentFolderOf(replacement),
  }
}

/**
 * Share of a video's owner: how many of the owner's videos are prepared before it, and the pixels (width times height
 * times seconds) that the owner has published within a day up to and including it.
 */
export async function getOwnerShare(
  db: Db,
  videoId: string,
): Promise<{ ownerId: string; preparedBefore: number; pixelSecondsOfDay: number } | undefined> {
  const { rows } = await sql<{ ownerId: string; preparedBefore: number; pixelSecondsOfDay: number }>`
    select v.owner_id,
      (select count(*)::int from videos o
        where o.owner_id = v.owner_id and o.processing_state = 'processing' and (o.created_at, o.id) < (v.created_at, v.id)
      ) as prepared_before,
      (select coalesce(sum(o.width::float8 * o.height * o.duration_seconds), 0)::float8 from videos o
        where o.owner_id = v.owner_id and o.created_at > v.created_at - interval '1 day'
          and (o.created_at, o.id) <= (v.created_at, v.id)
      ) as pixel_seconds_of_day
    from videos v where v.id = ${videoId}`.execute(db)
  return rows[0]
}

/** The folder of a video's segments; undefined if the video was deleted. */
export async function findFolder(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('videos').select('replacement').where('id', '=', id).executeTakeFirst()
  return row && segmentFolderOf(row.replacement)
}

/** Videos that are still being prepared, the oldest first. */
export async function listProcessing(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('processingState', '=', sql.lit('processing' as const)) // not a parameter: the index holds this state alone
    .where(isNotTakenDown('videos'))
    .orderBy('createdAt')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Records a prepared run. The caller holds the lock of the video. */
export async function insertPreparedRun(db: Db, videoId: string, run: number): Promise<void> {
  await db
    .insertInto('preparedRuns')
    .values({ videoId, run })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The number of prepared runs of a video. The caller holds its lock, so that none is being recorded. */
export async function countPreparedRuns(db: Db, videoId: string): Promise<number> {
  const { count } = await db
    .selectFrom('preparedRuns')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('videoId', '=', videoId)
    .executeTakeFirstOrThrow()
  return count
}

/** Records measured bitrates; does nothing if the video was deleted, or its file replaced: the lock waits for that. */
export async function putTrackBitrates(
  db: Db,
  { id, sourceKey }: Pick<PlayableVideo, 'id' | 'sourceKey'>,
  track: string,
  { peakBps, averageBps }: Bitrates,
): Promise<void> {
  await sql`
    insert into track_bitrates (video_id, track, peak_bps, average_bps)
    select id, ${track}, ${peakBps}, ${averageBps} from videos where id = ${id} and source_key = ${sourceKey}
    for no key update on conflict (video_id, track) do update
      set peak_bps = excluded.peak_bps, average_bps = excluded.average_bps`.execute(db)
}

export async function deleteTrackBitrates(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('trackBitrates').where('videoId', '=', videoId).execute()
}

/**
 * The most viewed public video with at least `minViews` within the last days, today included, that is prepared, has no AV1
 * renditions, and did not fail to get them within the last day. Undefined if there is none.
 */
export async function findPopularWithoutAv1(
  db: Db,
  { days, minViews, maxLines }: { days: number; minViews: number; maxLines: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select videos.id from videos join (
      select video_id, sum(views) as views from daily_views
      where day > current_date - ${days}::int group by video_id having sum(views) >= ${minViews}
    ) lately on lately.video_id = videos.id
    where ${isListed(visitors, 'videos')} and videos.processing_state = 'ready' and not videos.is_live and videos.cut is null
      and least(videos.width, videos.height) <= ${maxLines}
      and not exists (select from av1_ladders where video_id = videos.id and folder = ${folderOfVideo}
        and (is_ready or tried_at > now() - interval '1 day'))
    order by lately.views desc, videos.id limit 1`.execute(db)
  return rows[0]?.id
}

/**
 * Records whether a file got its AV1 renditions; does nothing if the video was deleted, or its file replaced: the lock waits
 * for that.
 */
export async function putAv1Ladder(
  db: Db,
  { id, folder }: Pick<PlayableVideo, 'id' | 'folder'>,
  isReady: boolean,
): Promise<void> {
  await sql`
    insert into av1_ladders (video_id, folder, is_ready)
    select id, ${folder}, ${isReady} from videos where id = ${id} and ${folderOfVideo} = ${folder}
    for no key update on conflict (video_id) do update
      set folder = excluded.folder, is_ready = excluded.is_ready, tried_at = excluded.tried_at`.execute(db)
}

export async function deleteAv1Ladder(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('av1Ladders').where('videoId', '=', videoId).execute()
}

/** Deletes the records of prepared runs. */
export async function deletePreparedRuns(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('preparedRuns').where('videoId', '=', videoId).execute()
}

/** Records the use of a track; does nothing if the video was deleted. */
export async function putTrackUse(db: Db, videoId: string, track: string, usedAt: Date): Promise<void> {
  await sql`
    insert into track_uses (video_id, track, used_at)
    select id, ${track}, ${usedAt}::timestamptz from videos where id = ${videoId}
    on conflict (video_id, track) do update set used_at = greatest(track_uses.used_at, excluded.used_at)`.execute(
    db,
  )
}

/** Those of the videos that exist, with the tracks that were requested; an unwatched one has one row without a track. */
export async function listTrackUses(
  db: Db,
  ids: readonly string[],
): Promise<
  { videoId: string; createdAt: Date; isLive: boolean; track: string | null; usedAt: Date | null }[]
> {
  return db
    .selectFrom('videos')
    .leftJoin('trackUses', 'trackUses.videoId', 'videos.id')
    .select(['videos.id as videoId', 'videos.createdAt', 'videos.isLive'])
    .select(['trackUses.track', 'trackUses.usedAt'])
    .where(sql<boolean>`videos.id = any(${ids}::text[])`)
    .execute()
}
