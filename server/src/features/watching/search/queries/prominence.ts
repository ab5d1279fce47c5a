import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'

/** Number of newest videos that are prominent, and of most watched ones. */
const prominentOfEach = 10_000

/**
 * Updates whether up to `limit` videos are prominent, and returns the number of changed ones. Locked videos are skipped
 * until the next run.
 */
export async function chooseProminent(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    with wanted as (
      (select id from videos order by created_at desc, id desc limit ${prominentOfEach}::int)
      union (select id from videos order by views desc, id limit ${prominentOfEach}::int)
    ), candidates as (
      -- few on both sides, of all videos
      select video_id from video_search where is_prominent and video_id not in (select id from wanted)
      union all
      select s.video_id from wanted join video_search s on s.video_id = wanted.id and not s.is_prominent
    ), changed as (
      select video_id from video_search where video_id in (select video_id from candidates)
      order by video_id limit ${limit}::int for update skip locked
    )
    update video_search set is_prominent = not is_prominent from changed
    where video_search.video_id = changed.video_id returning changed.video_id`.execute(db)
  return rows.length
}
