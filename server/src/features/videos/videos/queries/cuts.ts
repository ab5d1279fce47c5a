import { sql } from 'kysely'
import type { KeptRange } from '@kinora/media/plan/cut.ts'
import type { Db } from '../../../../context/database.ts'

/** Whether something may be left of a file that had what was cut of a video. */
export const hasOldFile = sql<boolean>`exists (
  select from cut_deletions d where d.video_id = videos.id and d.old_folder is not null
)`

/** Videos of which viewers do not see all, or of whose old file something is left: their files are not public. */
export async function listCutVideos(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where((video) => video.or([video('cut', 'is not', null), hasOldFile]))
    .execute()
  return rows.map(({ id }) => id)
}

/** Records a cut, or with null the end of one. The caller holds the lock of the video. */
export async function insertCut(
  db: Db,
  cut: { videoId: string; publishedAt: Date; keep: KeptRange[] | null; isFinal?: boolean },
): Promise<void> {
  const { videoId, publishedAt, keep, isFinal = false } = cut
  await sql`
    insert into video_cuts (video_id, published_at, keep, is_final)
    values (${videoId}, ${publishedAt}::timestamptz, ${keep && JSON.stringify(keep)}::jsonb, ${isFinal})
    on conflict (video_id, published_at) do update set keep = excluded.keep, is_final = excluded.is_final`.execute(
    db,
  )
}

/** Deletes the cuts of a video, because it has another file. */
export async function deleteCuts(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('videoCuts').where('videoId', '=', videoId).execute()
}

/** Notes that the description of a video has the times of its cut. */
export async function updateDescriptionCut(db: Db, id: string): Promise<void> {
  await sql`update videos set description_cut = cut where id = ${id}`.execute(db)
}
