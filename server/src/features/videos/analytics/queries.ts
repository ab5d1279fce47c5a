import { listedTopVideos } from '@kinora/contract/videos/analytics.ts'
import { retentionParts } from '@kinora/contract/constants.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isVisibleToEverybody, isNotTakenDown } from '../../visibility/queries.ts'
import type { DailyNumbers } from './rules.ts'

/** Facts with which a playback report is checked; undefined if there is no such video. */
export async function findReported(
  db: Db,
  videoId: string,
): Promise<{ durationSeconds: number; isOpen: boolean } | undefined> {
  const { rows } = await sql<{ durationSeconds: number; isOpen: boolean }>`
    select v.duration_seconds, ${isVisibleToEverybody()} as is_open from videos v
    where v.id = ${videoId} and ${isNotTakenDown()}`.execute(db)
  return rows[0]
}

const columns = sql`video_id, day, playbacks, watched_seconds, retention, sources, captions, qualities`

/** Numbers as rows of a table. */
function rowsOf(numbers: readonly DailyNumbers[]): RawBuilder<unknown> {
  const rows = numbers.map(({ videoId, watchedSeconds, ...rest }) => ({
    video_id: videoId,
    watched_seconds: watchedSeconds,
    ...rest,
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) numbers (
    video_id text, day date, playbacks integer, watched_seconds double precision, retention integer[],
    sources jsonb, captions jsonb, qualities jsonb
  )`
}

/** Appends numbers. Those of deleted videos are left out. Waits only for deletions of these videos. */
export async function insertPending(db: Db, numbers: readonly DailyNumbers[]): Promise<void> {
  const ids = numbers.map(({ videoId }) => videoId)
  await sql`
    with known as (
      -- in one order, as everything that locks several videos
      select id from videos where id = any(${ids}::text[]) order by id for key share
    )
    insert into pending_playbacks (${columns})
    select numbers.* from ${rowsOf(numbers)} join known on known.id = numbers.video_id`.execute(db)
}

/**
 * Deletes up to `limit` pending rows and returns them. Locks their videos before the rows, as a deletion does, and skips
 * locked videos.
 */
export async function takePending(db: Db, limit: number): Promise<DailyNumbers[]> {
  const { rows } = await sql<DailyNumbers>`
    with chosen as materialized (
      select id from videos where id in (select distinct video_id from pending_playbacks limit ${limit})
      order by id for no key update skip locked
    ), batch as (
      select p.ctid from pending_playbacks p join chosen on chosen.id = p.video_id limit ${limit}
    )
    delete from pending_playbacks p using batch where p.ctid = batch.ctid
    returning p.video_id, p.day::text, p.playbacks, p.watched_seconds, p.retention, p.sources, p.captions,
      p.qualities`.execute(db)
  return rows
}

/** The stored numbers of the same videos and days. */
export async function listStored(db: Db, numbers: readonly DailyNumbers[]): Promise<DailyNumbers[]> {
  const { rows } = await sql<DailyNumbers>`
    select d.video_id, d.day::text, d.playbacks, d.watched_seconds, d.retention, d.sources, d.captions, d.qualities
    from daily_playbacks d
    where (d.video_id, d.day) in (
      select * from unnest(
        ${numbers.map(({ videoId }) => videoId)}::text[], ${numbers.map(({ day }) => day)}::date[]
      )
    )`.execute(db)
  return rows
}

/** Replaces the stored numbers of these videos and days. */
export async function upsertStored(db: Db, numbers: readonly DailyNumbers[]): Promise<void> {
  await sql`
    insert into daily_playbacks (${columns}) select numbers.* from ${rowsOf(numbers)}
    on conflict (video_id, day) do update set playbacks = excluded.playbacks,
      watched_seconds = excluded.watched_seconds, retention = excluded.retention, sources = excluded.sources,
      captions = excluded.captions, qualities = excluded.qualities`.execute(db)
}

/** One video (also a column of the query itself), or all videos of an owner. */
export type Scope = { videoId: string | RawBuilder<unknown> } | { ownerId: string }

/** Days of a report; `days` is null for all since the first numbers. */
export interface Period {
  /** YYYY-MM-DD, in UTC. */
  today: string
  days: number | null
}

const isWithin = (scope: Scope, column: RawBuilder<unknown>) =>
  'videoId' in scope
    ? sql`${column} = ${scope.videoId}`
    : sql`${column} in (select id from videos where owner_id = ${scope.ownerId})`

const isSince = ({ today, days }: Period, column: RawBuilder<unknown>) =>
  days === null ? sql`true` : sql`${column} > ${today}::date - ${days}::int`

/** Stored and pending numbers. */
function numbersIn(scope: Scope, period: Period): RawBuilder<unknown> {
  const from = (table: RawBuilder<unknown>) => sql`
    select ${columns} from ${table} where ${isWithin(scope, sql`video_id`)} and ${isSince(period, sql`day`)}`
  return sql`(${from(sql`daily_playbacks`)} union all ${from(sql`pending_playbacks`)})`
}

/** Views by video and day, stored and pending. */
function viewsIn(scope: Scope, period: Period): RawBuilder<unknown> {
  const pendingDay = sql`(viewed_at at time zone 'utc')::date`
  return sql`(
    select video_id, day, views from daily_views
    where ${isWithin(scope, sql`video_id`)} and ${isSince(period, sql`day`)}
    union all
    select video_id, ${pendingDay} as day, views from pending_views
    where ${isWithin(scope, sql`video_id`)} and ${isSince(period, pendingDay)}
  )`
}

/** One sum for each part: PostgreSQL adds up columns several times faster than elements of arrays. */
const retentionSums = sql`array[${sql.join(
  Array.from({ length: retentionParts }, (_, part) =>
    sql.raw(`coalesce(sum(n.retention[${part + 1}]), 0)::float8`),
  ),
)}]`

export interface Sums {
  playbacks: number
  watchedSeconds: number
  /** Playbacks that showed each part. */
  retention: number[]
}

/** Sums of a period. */
export async function getSums(db: Db, scope: Scope, period: Period): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(n.playbacks), 0)::bigint as playbacks,
      coalesce(sum(n.watched_seconds), 0)::float8 as watched_seconds, ${retentionSums} as retention
    from ${numbersIn(scope, period)} n`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('An aggregate without GROUP BY returns one row')
  return sums
}

export interface Day {
  /** YYYY-MM-DD, in UTC. */
  day: string
  views: number
  playbacks: number
  watchedSeconds: number
}

/** The last change of a video's cut within a period, which is followed by whole days; undefined without one. */
export async function findLastCut(
  db: Db,
  videoId: string,
  { today, days }: Period,
): Promise<{ nextDay: string; daysSince: number } | undefined> {
  const { rows } = await sql<{ nextDay: string; daysSince: number }>`
    select (day + 1)::text as next_day, ${today}::date - day as days_since
    from (
      select max((published_at at time zone 'utc')::date) as day from video_cuts
      where video_id = ${videoId} and not is_final
    ) last
    where ${isSince({ today, days }, sql`day`)} and day is not null`.execute(db)
  return rows[0]
}

/** Every day of a period, oldest first. */
export async function listDays(db: Db, scope: Scope, period: Period): Promise<Day[]> {
  const { today, days } = period
  const { rows } = await sql<Day>`
    with numbers as (
      select n.day, sum(n.playbacks) as playbacks, sum(n.watched_seconds) as watched_seconds
      from ${numbersIn(scope, period)} n group by n.day
    ), seen as (
      select w.day, sum(w.views) as views from ${viewsIn(scope, period)} w group by w.day
    ), first as (
      select ${
        days === null
          ? sql`coalesce(least((select min(day) from numbers), (select min(day) from seen)), ${today}::date)`
          : sql`${today}::date - ${days}::int + 1`
      } as day
    )
    select to_char(calendar.day, 'YYYY-MM-DD') as day, coalesce(seen.views, 0)::bigint as views,
      coalesce(numbers.playbacks, 0)::bigint as playbacks,
      coalesce(numbers.watched_seconds, 0)::float8 as watched_seconds
    from first cross join generate_series(first.day, ${today}::date, interval '1 day') calendar (day)
    left join seen on seen.day = calendar.day::date left join numbers on numbers.day = calendar.day::date
    order by calendar.day`.execute(db)
  return rows
}

/** Names listed of each kind. */
const listedNames = 50

/** The highest counts of a kind, with their names. */
export async function listCounts(
  db: Db,
  scope: Scope,
  period: Period,
  kind: 'sources' | 'captions' | 'qualities',
): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select each.key as name, sum(each.value::float8)::float8 as count
    from ${numbersIn(scope, period)} n cross join jsonb_each_text(n.${sql.ref(kind)}) each
    group by each.key having sum(each.value::float8) > 0 order by count desc, name limit ${listedNames}`.execute(
    db,
  )
  return rows
}

export interface TopVideo {
  id: string
  title: string
  views: number
  playbacks: number
  watchedSeconds: number
  /** Sum over all parts of the playbacks that showed it. */
  shownParts: number
}

/** The videos of an owner that were watched the longest. */
export async function listTopVideos(db: Db, ownerId: string, period: Period): Promise<TopVideo[]> {
  const scope = { ownerId }
  // retention of the listed ones only: adding up the hundred parts of every video takes minutes on a large channel
  const { rows } = await sql<TopVideo>`
    with numbers as (
      select n.video_id, sum(n.playbacks) as playbacks, sum(n.watched_seconds) as watched_seconds
      from ${numbersIn(scope, period)} n group by n.video_id
    ), seen as (
      select w.video_id, sum(w.views) as views from ${viewsIn(scope, period)} w group by w.video_id
    ), top as (
      select video_id, coalesce(seen.views, 0)::bigint as views, coalesce(numbers.playbacks, 0)::bigint as playbacks,
        coalesce(numbers.watched_seconds, 0)::float8 as watched_seconds
      from numbers full join seen using (video_id)
      order by watched_seconds desc, views desc, video_id limit ${listedTopVideos}
    )
    select top.video_id as id, v.title, top.views, top.playbacks, top.watched_seconds,
      coalesce((
        select sum((select sum(part) from unnest(n.retention) part))
        from ${numbersIn({ videoId: sql.ref('top.video_id') }, period)} n
      ), 0)::float8 as shown_parts
    from top join videos v on v.id = top.video_id
    order by top.watched_seconds desc, top.views desc, top.video_id`.execute(db)
  return rows
}
