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

/** The videos that are taken down, and whose they are: a few. */
export async function listTakenDown(db: Db): Promise<{ id: string; thumbnail: string; ownerId: string }[]> {
  return db
    .selectFrom('videos')
    .select(['id', 'thumbnail', 'ownerId'])
    .where('takedownReason', 'is not', null)
    .execute()
}
