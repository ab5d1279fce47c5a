import type { Page } from '@kinora/contract/endpoint.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import { type PageRequest, toPage } from '../../platform/db/cursor.ts'
import { toVideo, videoColumns, type VideoRow } from '../videos/queries/videos.ts'
import { isVisible } from '../visibility/queries.ts'

/** Puts a video on top of a user's history, where it stands once. Answers whether there is such a video. */
export async function putWatched(db: Db, userId: string, videoId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into watch_history (user_id, video_id, watched_at)
    select ${userId}, v.id, clock_timestamp() from videos v where v.id = ${videoId} and ${isVisible(userId)} for key share
    on conflict (user_id, video_id) do update set watched_at = excluded.watched_at
    returning 1`.execute(db)
  return rows.length === 1
}

/** The videos that a user watched last, last watched first. */
export async function listWatched(
  db: Db,
  userId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<Video>> {
  const after = cursor
    ? sql`and (h.watched_at, h.video_id) < (${cursor.at}::timestamptz, ${cursor.id})`
    : sql``
  const { rows } = await sql<VideoRow & { watchedAt: Date }>`
    select ${videoColumns}, h.watched_at
    from watch_history h join videos v on v.id = h.video_id join users o on o.id = v.owner_id
    where h.user_id = ${userId} and h.watched_at is not null and ${isVisible(userId)} ${after}
    order by h.watched_at desc, h.video_id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toVideo, (row) => ({ at: row.watchedAt.toISOString(), id: row.id }))
}

/** Where a user stopped a video, 0 when they never watched it; undefined when there is no such video. */
export async function findPosition(db: Db, userId: string, videoId: string): Promise<number | undefined> {
  const { rows } = await sql<{ positionSeconds: number }>`
    select coalesce(h.position_seconds, 0) as position_seconds
    from videos v left join watch_history h on h.video_id = v.id and h.user_id = ${userId}
    where v.id = ${videoId} and ${isVisible(userId)}`.execute(db)
  return rows[0]?.positionSeconds
}

/** Remembers where a user stopped a video, without putting it into their history. Answers whether there is such a video. */
export async function putPosition(
  db: Db,
  userId: string,
  videoId: string,
  positionSeconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into watch_history (user_id, video_id, position_seconds)
    select ${userId}, v.id, ${positionSeconds}::float8 from videos v
    where v.id = ${videoId} and ${isVisible(userId)} for key share
    on conflict (user_id, video_id) do update set position_seconds = excluded.position_seconds
    returning 1`.execute(db)
  return rows.length === 1
}
