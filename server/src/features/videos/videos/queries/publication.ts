import type { Visibility } from '@kinora/contract/videos/videos.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { chatClosesAfter } from '../rules.ts'
import { isNotLeaving } from '../../../visibility/queries.ts'

/**
 * Changes the visibility of a video. The caller holds its lock. One that was uploaded as private or scheduled counts as
 * uploaded when it is listed for the first time. One that waits for approval remembers that while it is private. A premiere
 * moves with its time, and ends with its schedule; one that has begun stays one.
 */
export async function updateVisibility(
  db: Db,
  id: string,
  {
    visibility,
    heldVisibility,
    publishAt,
    isPremiere = null,
    isApproved = null,
    now,
  }: {
    visibility: Visibility
    heldVisibility: Visibility | null
    publishAt: Date | null
    /** Whether everybody watches it together from `publishAt` on. Unchanged by default. */
    isPremiere?: boolean | null
    /** Unchanged by default. */
    isApproved?: boolean | null
    now: Date
  },
): Promise<void> {
  const isListed = visibility === 'public' || visibility === 'members'
  const wasUpcoming = sql`coalesce(premiere_at = publish_at, false)`
  const willPremiere = sql`coalesce(${isPremiere}::boolean, ${wasUpcoming})`
  const at = sql`${publishAt}::timestamptz`
  const moved = (value: RawBuilder<unknown>, column: RawBuilder<unknown>) =>
    sql`case when ${willPremiere} then ${value} when not ${wasUpcoming} then ${column} end`
  await sql`
    update videos set visibility = ${visibility}, held_visibility = ${heldVisibility},
      was_held = ${visibility} = 'private' and ${heldVisibility}::text is null and (was_held or held_visibility is not null),
      is_approved = coalesce(${isApproved}::boolean, is_approved), publish_at = ${at},
      premiere_at = ${moved(at, sql`premiere_at`)}, chat_from = ${moved(at, sql`chat_from`)},
      chat_until = ${moved(sql`${at} + make_interval(secs => duration_seconds) + ${chatClosesAfter}::interval`, sql`chat_until`)},
      created_at = case when awaits_publication and ${isListed} then ${now}::timestamptz else created_at end,
      awaits_publication = ${visibility === 'scheduled'} or (awaits_publication and not ${isListed})
    where id = ${id}`.execute(db)
}

/** Replaces the viewers of a private video. Returns the unknown usernames. */
export async function replaceViewers(db: Db, id: string, usernames: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ username: string; userId: string | null }>`
    select named.username, u.id as user_id from unnest(${usernames}::text[]) named (username)
    left join users u on lower(u.username) = lower(named.username) and ${isNotLeaving()}`.execute(db)
  const unknown = rows.filter(({ userId }) => userId === null).map(({ username }) => username)
  if (unknown.length > 0) return unknown
  await db.deleteFrom('videoViewers').where('videoId', '=', id).execute()
  const userIds = new Set(rows.flatMap(({ userId }) => userId ?? []))
  const viewers = [...userIds].map((userId) => ({ videoId: id, userId }))
  if (viewers.length > 0) await db.insertInto('videoViewers').values(viewers).execute()
  return []
}

/** Adds viewers by their ids, as an import brings them. */
export async function addViewers(db: Db, id: string, userIds: readonly string[]): Promise<void> {
  await sql`
    insert into video_viewers (video_id, user_id) select ${id}, u.id from users u where u.id = any(${userIds}::text[])
    order by u.id for key share of u on conflict do nothing`.execute(db)
}

/**
 * Makes scheduled videos public whose time has come, as if they had been uploaded then. Returns their ids. Locked
 * videos are skipped until the next run.
 */
export async function publishDue(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id from videos where visibility = 'scheduled' and held_visibility is null and publish_at <= ${now}::timestamptz
      order by id for no key update skip locked
    )
    update videos set visibility = 'public', created_at = publish_at, publish_at = null,
      awaits_publication = false
    from due where videos.id = due.id returning videos.id`.execute(db)
  return rows.map(({ id }) => id)
}
