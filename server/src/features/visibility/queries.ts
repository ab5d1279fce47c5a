import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database.ts'
import { notify } from '../../platform/db/pubsub.ts'
import { topics } from '../../topics.ts'

/**
 * SQL conditions of visibility, for queries that call the table of videos `table`. Every read on behalf of a visitor
 * uses one of them; visibility is decided nowhere else.
 */

/** The viewer: null for visitors, a column if the query itself selects viewers. */
export type ViewerId = string | null | RawBuilder<string>

/** Lists are the same for all visitors, and for all members. */
export type Audience = 'visitors' | 'members'

export const audienceOf = (user: object | null): Audience => (user ? 'members' : 'visitors')

/** Whether the video is not taken down. Jobs prepare only these. */
export function isNotTakenDown(table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.takedown_reason`)} is null`
}

/** Whether lists, search and feeds include the video. */
export function isListed(audience: Audience, table = 'v'): RawBuilder<boolean> {
  const visibility = sql.ref(`${table}.visibility`)
  const isShown =
    audience === 'members' ? sql`${visibility} in ('public', 'members')` : sql`${visibility} = 'public'`
  return sql<boolean>`${isNotTakenDown(table)} and ${isShown}`
}

/** Whether a viewer may open the video by its URL. */
export function isVisible(viewerId: ViewerId, table = 'v'): RawBuilder<boolean> {
  const visibility = sql.ref(`${table}.visibility`)
  const isForAll = sql`${visibility} in ('public', 'unlisted')`
  if (viewerId === null) return sql<boolean>`${isNotTakenDown(table)} and ${isForAll}`
  return sql<boolean>`${isNotTakenDown(table)} and (
    ${isForAll} or ${visibility} = 'members' or ${sql.ref(`${table}.owner_id`)} = ${viewerId} or exists (
      select from video_viewers named where named.video_id = ${sql.ref(`${table}.id`)} and named.user_id = ${viewerId}
    )
  )`
}

/** Whether a channel lists the video for a viewer: unlisted ones only for its owner. */
export function isOnChannel(viewerId: ViewerId, table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`${isVisible(viewerId, table)}
    and (${sql.ref(`${table}.visibility`)} <> 'unlisted' or ${sql.ref(`${table}.owner_id`)} = ${viewerId})`
}

/** Whether the bytes of the video may be sent to everybody who has their URL. */
export function isOpen(table = 'v'): RawBuilder<boolean> {
  return isVisible(null, table)
}

/** Whether a viewer may see a video. */
export async function mayViewVideo(db: Db, videoId: string, viewerId: string): Promise<boolean> {
  const { rows } = await sql`select from videos v where v.id = ${videoId} and ${isVisible(viewerId)}`.execute(
    db,
  )
  return rows.length === 1
}

/** Publishes to all web processes, on commit, that a video was deleted or that its visibility changed. */
export async function publishVisibility(db: Db, videoId: string): Promise<void> {
  await sql`select ${notify(topics.visibilityChanged.name, videoId)}`.execute(db)
}
