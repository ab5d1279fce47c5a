import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isLive, isNotLeaving, isShareable, isVisible, type ShareVisit } from '../../../visibility/queries.ts'

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
  'isListed',
  'showsPicture',
] as const

/** The video or playlist of a link. */
export type Subject = { videoId: string } | { playlistId: string }

/** Whether a link is to the subject. */
const isTo = (subject: Subject): RawBuilder<boolean> =>
  'videoId' in subject
    ? sql<boolean>`video_id = ${subject.videoId}`
    : sql<boolean>`playlist_id = ${subject.playlistId}`

/** The links to a video or playlist, newest first. */
export function listLinks(db: Db, subject: Subject) {
  return db
    .selectFrom('shareLinks')
    .select(columns)
    .where(isTo(subject))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
}

export type StoredLink = Awaited<ReturnType<typeof listLinks>>[number]

export async function countLinks(db: Db, subject: Subject): Promise<number> {
  const { count } = await db
    .selectFrom('shareLinks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isTo(subject))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertLink(
  db: Db,
  link: Omit<StoredLink, 'viewers' | 'usedAt'> & Subject,
): Promise<StoredLink> {
  return db.insertInto('shareLinks').values(link).returning(columns).executeTakeFirstOrThrow()
}

export async function deleteLink(db: Db, subject: Subject, id: string): Promise<void> {
  await db.deleteFrom('shareLinks').where(isTo(subject)).where('id', '=', id).execute()
}

/** Whether the subject of a link may be shown: the video may be shared, or the owner of the playlist is still there. */
const hasSubject = sql<boolean>`case when link.video_id is null
  then exists (select from playlists p join users u on u.id = p.owner_id where p.id = link.playlist_id and ${isNotLeaving()})
  else exists (select from videos v where v.id = link.video_id and ${isShareable()}) end`

/** A link that has not ended, by its secret or by the video that it locks, to something that may be shared. */
export function findLink(db: Db, by: { secret: string } | { lockedId: string }, now: Date) {
  return db
    .selectFrom('shareLinks as link')
    .select(['link.id', 'link.videoId', 'link.passwordHash', 'link.allowsDownload'])
    .where('secret' in by ? sql<boolean>`link.secret = ${by.secret}` : isLockOf(by.lockedId))
    .where(isLive(now))
    .where(hasSubject)
    .executeTakeFirst()
}

const isLockOf = (videoId: string) => sql<boolean>`link.is_listed and link.video_id = ${videoId}`

export async function hasLock(db: Db, videoId: string): Promise<boolean> {
  const { rows } = await sql`select from share_links link where ${isLockOf(videoId)}`.execute(db)
  return rows.length > 0
}

/** Whether a video is hidden from people who are not signed in, so that a lock in a list does not name an address that opens it. */
export async function isLockable(db: Db, videoId: string): Promise<boolean> {
  const { rows } =
    await sql`select from videos v where v.id = ${videoId} and not (${isVisible(null)})`.execute(db)
  return rows.length > 0
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

/** The id of the video that a visit is for, `videoId` where its link is to a playlist with it; undefined after the link was revoked. */
export async function findVideoOfVisit(
  db: Db,
  tokenHash: Buffer,
  videoId: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(link.video_id, e.video_id) as id
    from share_visits visit join share_links link on link.id = visit.link_id
      left join playlist_entries e on e.playlist_id = link.playlist_id and e.video_id = ${videoId ?? null}
    where visit.token_hash = ${tokenHash}::bytea and coalesce(link.video_id, e.video_id) is not null`.execute(
    db,
  )
  return rows[0]?.id
}

/** The playlist of a visit while its link lives, and whether the link allows downloads. */
export async function findPlaylistOfVisit(
  db: Db,
  { tokenHash, now }: ShareVisit,
): Promise<{ playlistId: string; ownerId: string; allowsDownload: boolean } | undefined> {
  const { rows } = await sql<{ playlistId: string; ownerId: string; allowsDownload: boolean }>`
    select p.id as playlist_id, p.owner_id, link.allows_download
    from share_visits visit join share_links link on link.id = visit.link_id
      join playlists p on p.id = link.playlist_id
    where visit.token_hash = ${tokenHash}::bytea and ${isLive(now)} and ${hasSubject}`.execute(db)
  return rows[0]
}

/** Deletes visits that began, or were continued, before a time. */
export async function deleteVisits(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('shareVisits').where('openedAt', '<', before).execute()
}
