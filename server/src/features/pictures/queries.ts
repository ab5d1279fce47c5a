import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Which of these pictures something shows: an account or a video. However many they are, the tables are read once. */
export async function listShownPictures(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select avatar as id from users where avatar = any(${ids}::text[])
    union select cover_image from users where cover_image = any(${ids}::text[])
    union select thumbnail from videos where thumbnail = any(${ids}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** A video whose files are not for everybody. */
export interface HiddenVideo {
  id: string
  thumbnail: string
  ownerId: string
  isTakenDown: boolean
}

/** Written so that the index of hidden videos answers it. */
const isHidden = sql<boolean>`(takedown_reason is not null or visibility in ('members', 'private', 'scheduled'))`

const hiddenVideos = (db: Db) =>
  db
    .selectFrom('videos')
    .select(['id', 'thumbnail', 'ownerId', sql<boolean>`takedown_reason is not null`.as('isTakenDown')])
    .where(isHidden)

/** The videos whose files are not for everybody. */
export async function listHidden(db: Db): Promise<HiddenVideo[]> {
  return hiddenVideos(db).execute()
}

/** Those of them that have one of these thumbnails. */
export async function listHiddenByThumbnail(db: Db, thumbnails: readonly string[]): Promise<HiddenVideo[]> {
  return hiddenVideos(db)
    .where(sql<boolean>`thumbnail = any(${thumbnails}::text[])`)
    .execute()
}
