import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isShareable } from '../../visibility/queries.ts'

const columns = [
  'id',
  'name',
  'secret',
  'passwordHash',
  'expiresAt',
  'maxViewers',
  'allowsDownload',
  'viewers',
  'createdAt',
  'usedAt',
] as const

/** The links to a video, newest first. */
export function listLinks(db: Db, videoId: string) {
  return db
    .selectFrom('shareLinks')
    .select(columns)
    .where('videoId', '=', videoId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
}

export type StoredLink = Awaited<ReturnType<typeof listLinks>>[number]

export async function countLinks(db: Db, videoId: string): Promise<number> {
  const { count } = await db
    .selectFrom('shareLinks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('videoId', '=', videoId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertLink(
  db: Db,
  link: Omit<StoredLink, 'viewers' | 'usedAt'> & { videoId: string },
): Promise<StoredLink> {
  return db.insertInto('shareLinks').values(link).returning(columns).executeTakeFirstOrThrow()
}

export async function deleteLink(db: Db, videoId: string, id: string): Promise<void> {
  await db.deleteFrom('shareLinks').where('videoId', '=', videoId).where('id', '=', id).execute()
}

/** A link that has not ended, by its secret, to a video that may be shared. */
export function findLink(db: Db, secret: string, now: Date) {
  return db
    .selectFrom('shareLinks as link')
    .innerJoin('videos as v', 'v.id', 'link.videoId')
    .select(['link.id', 'link.videoId', 'link.passwordHash', 'link.allowsDownload'])
    .where('link.secret', '=', secret)
    .where(({ or, eb }) => or([eb('link.expiresAt', 'is', null), eb('link.expiresAt', '>', now)]))
    .where(isShareable())
    .executeTakeFirst()
}

/** Records that a browser that has opened the link before opens it again. Returns whether it has. */
export async function updateVisit(db: Db, linkId: string, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with visit as (
      update share_visits set opened_at = ${now}::timestamptz
      where token_hash = ${tokenHash}::bytea and link_id = ${linkId} returning link_id
    )
    update share_links set used_at = ${now}::timestamptz from visit where id = visit.link_id returning id`.execute(
    db,
  )
  return rows.length > 0
}

/** Counts another viewer of a link and records its visit. Returns false where the link has all the viewers it is for. */
export async function insertVisit(db: Db, linkId: string, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with link as (
      update share_links set viewers = viewers + 1, used_at = ${now}::timestamptz
      where id = ${linkId} and (max_viewers is null or viewers < max_viewers) returning id
    )
    insert into share_visits (token_hash, link_id, opened_at)
    select ${tokenHash}::bytea, id, ${now}::timestamptz from link returning link_id`.execute(db)
  return rows.length > 0
}

/** The id of the video that a visit is for; undefined after its link was revoked. */
export async function findVideoOfVisit(db: Db, tokenHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('shareVisits as visit')
    .innerJoin('shareLinks as link', 'link.id', 'visit.linkId')
    .select('link.videoId')
    .where('visit.tokenHash', '=', tokenHash)
    .executeTakeFirst()
  return row?.videoId
}

/** Deletes visits that began, or were continued, before a time. */
export async function deleteVisits(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('shareVisits').where('openedAt', '<', before).execute()
}
