import { handoverDays, handoverTitles, type Handover } from '@kinora/contract/videos/handovers.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { type Insertable, sql } from 'kysely'
import type { Database, Db } from '../../../context/database.ts'
import { isNotLeaving, isNotTakenDown } from '../../visibility/queries.ts'

interface Account {
  id: string
  username: string
  fullname: string
  avatar: string
}

interface Row {
  id: string
  giver: Account
  receiver: Account
  videoId: string | null
  title: string
  videos: number
  sizeBytes: number
  titles: string[]
  createdAt: Date
}

const account = (table: string) => sql`json_build_object(
  'id', ${sql.ref(`${table}.id`)}, 'username', ${sql.ref(`${table}.username`)},
  'fullname', ${sql.ref(`${table}.fullname`)}, 'avatar', ${sql.ref(`${table}.avatar`)})`

const toOwner = ({ id: _id, username, fullname, avatar }: Account) => ({
  _id,
  username,
  fullname,
  avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
})

/** Whether a video is given with the others of its owner: a stream, also one that is announced, stays with the channel. */
const isGivable = sql`${isNotTakenDown()} and not v.is_live`

/** Offers that an account has made or received and that can still be accepted, newest first. */
export async function listHandovers(db: Db, userId: string, now: Date): Promise<Handover[]> {
  const { rows } = await sql<Row>`
    select h.id, ${account('g')} as giver, ${account('r')} as receiver, h.video_id, coalesce(one.title, '') as title,
      given.videos, given.size_bytes, h.created_at, array(
        select v.title from videos v
        where v.owner_id = h.giver_id and (h.video_id is null or v.id = h.video_id) and ${isGivable}
        order by v.created_at desc, v.id desc limit ${handoverTitles}
      ) as titles
    from handovers h join users g on g.id = h.giver_id join users r on r.id = h.receiver_id
    left join videos one on one.id = h.video_id
    cross join lateral (
      select count(*)::int as videos, coalesce(sum(v.size_bytes), 0)::float8 as size_bytes from videos v
      where v.owner_id = h.giver_id and (h.video_id is null or v.id = h.video_id) and ${isGivable}
    ) given
    where (h.giver_id = ${userId} or h.receiver_id = ${userId}) and ${isNotLeaving('g')} and ${isNotLeaving('r')}
      and h.created_at > ${now}::timestamptz - make_interval(days => ${handoverDays})
    order by h.created_at desc, h.id`.execute(db)
  return rows.map(({ id, giver, receiver, videoId, title, createdAt, ...given }) => ({
    _id: id,
    giver: toOwner(giver),
    receiver: toOwner(receiver),
    video: videoId === null ? null : { _id: videoId, title },
    ...given,
    createdAt: createdAt.toISOString(),
  }))
}

/** Replaces the offer of the same video, or of all videos, of an account. */
export async function replaceHandover(db: Db, row: Insertable<Database['handovers']>): Promise<void> {
  await sql`
    delete from handovers where giver_id = ${row.giverId} and video_id is not distinct from ${row.videoId ?? null}`.execute(
    db,
  )
  await db.insertInto('handovers').values(row).execute()
}

export async function countHandovers(db: Db, giverId: string): Promise<number> {
  const { count } = await db
    .selectFrom('handovers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('giverId', '=', giverId)
    .executeTakeFirstOrThrow()
  return count
}

/** Takes an offer away from a giver or receiver. Returns it; undefined if there is none. */
export async function deleteHandover(
  db: Db,
  id: string,
  userId: string,
): Promise<{ giverId: string; receiverId: string; videoId: string | null; createdAt: Date } | undefined> {
  return db
    .deleteFrom('handovers')
    .where('id', '=', id)
    .where((row) => row.or([row('giverId', '=', userId), row('receiverId', '=', userId)]))
    .returning(['giverId', 'receiverId', 'videoId', 'createdAt'])
    .executeTakeFirst()
}

/** Whether an account is neither suspended nor being deleted, which does not change until the transaction ends. */
export async function lockActive(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where id = ${userId} and suspended_at is null and deletes_at is null for key share`.execute(
    db,
  )
  return rows.length === 1
}

/** Whether a video proves that its owner publishes what may stay, as `hasPublishedVideo` asks. */
const isPublished = sql`v.held_visibility is null and (v.is_approved or v.visibility in ('public', 'unlisted', 'members'))`

/**
 * Records the videos of an offer that are neither taken down nor live, which then wait to be moved. It locks them against deletion only:
 * `lockMoving` checks again whose they are. Returns what they add to the quotas of the receiver: durations are those
 * of the files.
 */
export async function insertGiven(
  db: Db,
  {
    giverId,
    receiverId,
    videoId,
    givenAt,
  }: { giverId: string; receiverId: string; videoId: string | null; givenAt: Date },
): Promise<{ videos: number; bytes: number; seconds: number }> {
  const { rows } = await sql<{ videos: number; bytes: number; seconds: number }>`
    with given as (
      select v.id, v.size_bytes, ${isPublished} as is_published,
        case when cut is null then duration_seconds else (source->>'durationSeconds')::float8 end as seconds
      from videos v
      where v.owner_id = ${giverId} and (${videoId}::text is null or v.id = ${videoId}) and ${isGivable}
      order by v.id
    ), recorded as (
      insert into given_videos (video_id, giver_id, receiver_id, given_at, counts_for_giver, is_moving)
      select id, ${giverId}, ${receiverId}, ${givenAt}, is_published
        and not exists (
          select from given_videos earlier
          where earlier.video_id = given.id and (not earlier.is_moving or earlier.receiver_id = ${receiverId})
        ), true
      from given
    )
    select count(*)::int as videos, coalesce(sum(size_bytes), 0)::float8 as bytes, coalesce(sum(seconds), 0)::float8 as seconds
    from given`.execute(db)
  return rows[0] ?? { videos: 0, bytes: 0, seconds: 0 }
}

/** Locks the next videos that move, in the order in which other transactions lock them. */
export async function lockMoving(
  db: Db,
  { giverId, receiverId, limit }: { giverId: string; receiverId: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select v.id from given_videos given join videos v on v.id = given.video_id
    where given.is_moving and given.giver_id = ${giverId} and given.receiver_id = ${receiverId}
      and v.owner_id = ${giverId} and ${isNotTakenDown()}
    order by v.id limit ${limit} for no key update of v`.execute(db)
  return rows.map(({ id }) => id)
}

/** Ends the wait of videos that were moved. */
export async function endMoving(
  db: Db,
  { giverId, receiverId, ids }: { giverId: string; receiverId: string; ids: readonly string[] },
): Promise<void> {
  await sql`
    update given_videos set is_moving = false
    where is_moving and giver_id = ${giverId} and receiver_id = ${receiverId} and video_id = any(${ids}::text[])`.execute(
    db,
  )
}

/**
 * Forgets the videos that wait but stay: those that were taken down or given to somebody else meanwhile, or whose
 * receiver is gone, or all of them. They count for their owner as before.
 */
export async function deleteStaying(
  db: Db,
  { giverId, receiverId, all }: { giverId: string; receiverId: string; all: boolean },
): Promise<void> {
  await sql`
    delete from given_videos given using videos v
    where given.is_moving and given.giver_id = ${giverId} and v.id = given.video_id
      and (given.receiver_id = ${receiverId} or given.receiver_id is null)
      and (${all} or given.receiver_id is null or v.owner_id <> ${giverId} or not (${isNotTakenDown()}))`.execute(
    db,
  )
}
