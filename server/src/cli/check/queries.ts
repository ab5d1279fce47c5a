import { sql } from 'kysely'
import type { Db } from '../../context/database.ts'
import { storagePrefixes } from '../../context/storage-keys.ts'

export interface VideoFiles {
  id: string
  sourceKey: string
  sizeBytes: number
  thumbnail: string
}

/** Returns the next videos by id, without those that are live: their files grow. */
export async function listVideoFiles(db: Db, after: string, limit: number): Promise<VideoFiles[]> {
  return db
    .selectFrom('videos')
    .select(['id', 'sourceKey', 'sizeBytes', 'thumbnail'])
    .where('id', '>', after)
    .where('isLive', '=', false)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export interface UserPictures {
  id: string
  username: string
  avatar: string
  coverImage: string | null
}

/** Returns the next accounts by id. */
export async function listUserPictures(db: Db, after: string, limit: number): Promise<UserPictures[]> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'avatar', 'coverImage'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns the keys that a video or an unfinished upload references. */
export async function listNeededSources(db: Db, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select source_key as key from videos where source_key = any(${keys}::text[])
    union select source_key from resumable_uploads where source_key = any(${keys}::text[])`.execute(db)
  return rows.map(({ key }) => key)
}

/** Returns the ids that belong to a video that is live, or has not got its recording. */
export async function listLiveVideos(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos where starts_with(source_key, ${storagePrefixes.live}) and id = any(${ids}::text[])`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Returns the ids that belong to a video. */
export async function listKnownVideos(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from videos where id = any(${ids}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Replaces the thumbnail of a video. Returns false if it changed concurrently or the video was deleted. */
export async function setThumbnail(db: Db, id: string, before: string, thumbnail: string): Promise<boolean> {
  const { rows } = await sql`
    update videos set thumbnail = ${thumbnail} where id = ${id} and thumbnail = ${before} returning id`.execute(
    db,
  )
  return rows.length > 0
}

/** A denormalized count, and the query that computes it for one row. */
export interface Counter {
  name: string
  table: 'videos' | 'comments' | 'users'
  column: string
  /** SQL expression of the correct value for row `t`. */
  actual: string
}

export const counters: readonly Counter[] = [
  {
    name: 'likes of video',
    table: 'videos',
    column: 'likes_count',
    actual: '(select count(*) from video_likes l where l.video_id = t.id)',
  },
  {
    name: 'views of video',
    table: 'videos',
    column: 'views',
    // views from before the daily counts are missing in them
    actual:
      'greatest(t.views, (select coalesce(sum(d.views), 0) from daily_views d where d.video_id = t.id))',
  },
  {
    name: 'likes of comment',
    table: 'comments',
    column: 'likes_count',
    actual: '(select count(*) from comment_likes l where l.comment_id = t.id)',
  },
  {
    name: 'replies of comment',
    table: 'comments',
    column: 'replies_count',
    actual:
      '(select count(*) from comments r where r.parent_id = t.id and not r.is_held and r.deleted_at is null)',
  },
  {
    name: 'subscribers of account',
    table: 'users',
    column: 'subscribers_count',
    actual: '(select count(*) from subscriptions s where s.channel_id = t.id)',
  },
  {
    name: 'subscriptions of account',
    table: 'users',
    column: 'subscribed_to_count',
    actual: '(select count(*) from subscriptions s where s.subscriber_id = t.id)',
  },
]

export interface Miscount {
  id: string
  stored: number
  actual: number
}

/** Returns the wrong counts among the next rows by id, read in one statement, and the last id read. */
export async function listMiscounts(
  db: Db,
  { table, column, actual }: Counter,
  after: string,
  limit: number,
): Promise<{ last: string | undefined; miscounts: Miscount[] }> {
  const { rows } = await sql<{ id: string; stored: number; actual: number; isLast: boolean }>`
    with page as materialized (select * from ${sql.table(table)} where id > ${after} order by id limit ${limit}),
    counted as (
      select t.id, t.${sql.ref(column)}::bigint as stored, ${sql.raw(actual)}::bigint as actual,
        t.id = (select max(id) from page) as is_last
      from page t
    )
    select * from counted where is_last or stored <> actual`.execute(db)
  return {
    last: rows.find(({ isLast }) => isLast)?.id,
    miscounts: rows.filter(({ stored, actual: right }) => stored !== right),
  }
}

/**
 * Recomputes the count of one row. The row is locked first, so that a concurrent change is counted once.
 */
export async function recount(db: Db, { table, column, actual }: Counter, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select 1 from ${sql.table(table)} where id = ${id} for no key update`.execute(transaction)
    await sql`update ${sql.table(table)} t set ${sql.ref(column)} = ${sql.raw(actual)} where id = ${id}`.execute(
      transaction,
    )
  })
}
