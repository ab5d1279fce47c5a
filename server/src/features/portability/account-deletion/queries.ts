import type { StoredData } from '@kinora/contract/portability/account-deletion.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { hiddenReasons } from '../hidden-accounts/rules.ts'
import { signInFirst } from '@kinora/platform/errors.ts'

/** Locks an account and its videos until the transaction ends. Returns the keys of their files. */
export async function lockAccount(db: Db, id: string) {
  const account = await lockAccountRow(db, id)
  const videos = await db
    .selectFrom('videos')
    .select(['id', 'thumbnail', 'visibility', 'takedownReason'])
    .where('ownerId', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  return { ...account, videos }
}

/** Locks an account without its videos, like `lockAccount`. */
export async function lockAccountRow(db: Db, id: string) {
  return db
    .selectFrom('users')
    .select(['avatar', 'coverImage', 'deletesAt', 'suspendedAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Some videos of an account. */
export async function listSomeVideos(db: Db, ownerId: string, limit: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'thumbnail', 'visibility', 'takedownReason'])
    .where('ownerId', '=', ownerId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countVideos(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('videos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ownerId', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
}

/** Locks an account until the transaction ends. Returns when it is removed; null if it is not being deleted. */
export async function lockDeletesAt(db: Db, id: string): Promise<Date | null> {
  const { deletesAt } = await db
    .selectFrom('users')
    .select('deletesAt')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return deletesAt
}

/** Whether an account is being deleted. */
export async function isLeaving(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('deletesAt', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a video is hidden with everything that its owner published. */
export async function isHiddenWithOwner(db: Db, videoId: string): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.ownerId')
    .select('videos.id')
    .where('videos.id', '=', videoId)
    .where('takedownReason', 'in', Object.values(hiddenReasons))
    .where('suspendedAt', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** A deletion of a few thousand rows takes a second. */
const manyComments = 10_000

/** Whether the deletion of an account's comments would take long. */
export async function hasManyComments(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from comments where author_id = ${id} offset ${sql.lit(manyComments)} limit 1`.execute(db)
  return rows.length === 1
}

/** Accounts that are to be removed by now, with the address and the chosen language of their holder. */
export async function listDue(
  db: Db,
  now: Date,
): Promise<{ id: string; username: string; email: string; language: string | null }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'language'])
    .where('deletesAt', '<=', now)
    .orderBy('deletesAt')
    .limit(1000)
    .execute()
}

/** How many rows of each kind belong to an account. */
export async function countStored(db: Db, id: string): Promise<StoredData> {
  const { rows } = await sql<StoredData>`
    select (select count(*) from videos where owner_id = u.id) as videos,
      (select count(*) from comments where author_id = u.id) as comments,
      (select count(*) from video_likes where user_id = u.id)
        + (select count(*) from comment_likes where user_id = u.id) as likes,
      (select count(*) from subscriptions where subscriber_id = u.id) as subscriptions,
      (select count(*) from playlists where owner_id = u.id) as playlists,
      (select count(*) from watch_history where user_id = u.id) as history,
      (select count(*) from dismissed_videos where user_id = u.id)
        + (select count(*) from dismissed_channels where user_id = u.id) as dismissed,
      (select count(*) from notifications where user_id = u.id) as notifications,
      (select count(*) from report_entries where reporter_id = u.id) as reports,
      (select count(*) from sessions where user_id = u.id) as sessions,
      (select count(*) from known_devices where user_id = u.id) as devices,
      (select count(*) from known_addresses where user_id = u.id) as addresses,
      (select count(*) from passkeys where user_id = u.id) as passkeys,
      (select count(*) from api_tokens where user_id = u.id) as api_tokens
    from users u where u.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw signInFirst()
  return row
}
