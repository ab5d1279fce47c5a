import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isNotTakenDown, isVisibleToEverybody } from '../../../visibility/queries.ts'

/** Views of one video on one day. */
export interface Views {
  videoId: string
  /** Of the last of them. */
  viewedAt: Date
  count: number
  /** Whether the viewer may see a video with restricted visibility. */
  isAllowed: boolean
}

/**
 * Inserts pending views in one statement. Returns for each existing video the number of one of its rows. Waits only for
 * deletions of these videos.
 */
export async function insertViews(
  db: Db,
  views: readonly Views[],
): Promise<{ id: string; number: number; isOpen: boolean }[]> {
  const { rows } = await sql<{ id: string; number: number; isOpen: boolean }>`
    with known as (
      -- in one order, as everything that locks several videos
      select v.id, ${isVisibleToEverybody()} as is_open from videos v
      where v.id = any(${views.map(({ videoId }) => videoId)}::text[]) and ${isNotTakenDown()}
      order by v.id for key share
    ), added as (
      insert into pending_views (video_id, viewed_at, views)
      select known.id, seen.viewed_at, seen.views
      from unnest(
        ${views.map(({ videoId }) => videoId)}::text[], ${views.map(({ viewedAt }) => viewedAt)}::timestamptz[],
        ${views.map(({ count }) => count)}::int[], ${views.map(({ isAllowed }) => isAllowed)}::boolean[]
      ) seen (video_id, viewed_at, views, is_allowed)
      join known on known.id = seen.video_id and (known.is_open or seen.is_allowed)
      returning video_id, number
    )
    select known.id, known.is_open, max(added.number) as number
    from added join known on known.id = added.video_id group by known.id, known.is_open`.execute(db)
  return rows
}

/**
 * Merges pending views into the counts of at most `limit` videos. One statement, so a crash loses nothing and counts
 * nothing twice. Locked videos are skipped until the next run. Locks the video before its views, as a deletion does.
 * Returns the number of videos with pending views.
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

/** Whether an owner has more than `count` videos. */
export async function hasMoreVideos(db: Db, ownerId: string, count: number): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('ownerId', '=', ownerId)
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface ChannelTotals {
  totalViews: number
  totalSubs: number
  totalLikes: number
}

/** Totals of an owner's videos. */
export async function getTotals(db: Db, ownerId: string): Promise<ChannelTotals> {
  const { rows } = await sql<ChannelTotals>`
    select
      (coalesce(sum(v.views), 0) + (
        select coalesce(sum(p.views), 0) from pending_views p join videos o on o.id = p.video_id
        where o.owner_id = ${ownerId}
      ))::bigint as total_views,
      coalesce(sum(v.likes_count), 0)::bigint as total_likes,
      (select subscribers_count from users where id = ${ownerId}) as total_subs
    from videos v where v.owner_id = ${ownerId}`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('An aggregate without GROUP BY returns one row')
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
