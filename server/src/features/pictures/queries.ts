import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Which of these pictures something shows: an account or a video. */
export async function listShownPictures(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${ids}::text[]) as wanted (id)
    where exists (select from users where users.avatar = wanted.id)
      or exists (select from users where users.cover_image = wanted.id)
      or exists (select from videos where videos.thumbnail = wanted.id)`.execute(db)
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
