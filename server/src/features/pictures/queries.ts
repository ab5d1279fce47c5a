import { sql } from 'kysely'
import type { Db } from '../../context/database.ts'

/** The picture in the URL of the logo. */
const logoId = sql`
  select split_part(value #>> '{}', '/', 4) as id from site_settings where name = 'siteLogo'`

/** Those of the pictures that an account, a registration, a video or the site references. */
export async function listShownPictures(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select avatar as id from users where avatar = any(${ids}::text[])
    union select cover_image from users where cover_image = any(${ids}::text[])
    union select avatar from registrations where avatar = any(${ids}::text[])
    union select cover_image from registrations where cover_image = any(${ids}::text[])
    union select thumbnail from videos where thumbnail = any(${ids}::text[])
    union select id from (${logoId}) logo where id = any(${ids}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** A video whose files are not public. */
export interface HiddenVideo {
  id: string
  thumbnail: string
  ownerId: string
  isTakenDown: boolean
}

/** Matches the index of hidden videos. */
const isHidden = sql<boolean>`(takedown_reason is not null or visibility in ('members', 'private', 'scheduled'))`

const hiddenVideos = (db: Db) =>
  db
    .selectFrom('videos')
    .select(['id', 'thumbnail', 'ownerId', sql<boolean>`takedown_reason is not null`.as('isTakenDown')])
    .where(isHidden)

/** Avatars and covers, or those among `ids`, of accounts that are being deleted. They are hidden like thumbnails of videos that are taken down. */
async function listPicturesOfLeaving(db: Db, ids?: readonly string[]): Promise<HiddenVideo[]> {
  const leaving = db
    .selectFrom('users')
    .select(['id', 'avatar', 'coverImage'])
    .where('deletesAt', 'is not', null)
  const rows = await (
    ids === undefined
      ? leaving
      : leaving.where(sql<boolean>`(avatar = any(${ids}::text[]) or cover_image = any(${ids}::text[]))`)
  ).execute()
  return rows.flatMap(({ id, avatar, coverImage }) =>
    [avatar, coverImage].flatMap((thumbnail) =>
      thumbnail === null ? [] : { id, thumbnail, ownerId: id, isTakenDown: true },
    ),
  )
}

/** The videos whose files are not public, and the hidden pictures of accounts. */
export async function listHidden(db: Db): Promise<HiddenVideo[]> {
  return [...(await hiddenVideos(db).execute()), ...(await listPicturesOfLeaving(db))]
}

/** Hidden videos with one of these thumbnails, and accounts with one of these pictures. */
export async function listHiddenByThumbnail(db: Db, thumbnails: readonly string[]): Promise<HiddenVideo[]> {
  const videos = await hiddenVideos(db)
    .where(sql<boolean>`thumbnail = any(${thumbnails}::text[])`)
    .execute()
  const pictures = await listPicturesOfLeaving(db, thumbnails)
  return [...videos, ...pictures.filter(({ thumbnail }) => thumbnails.includes(thumbnail))]
}
