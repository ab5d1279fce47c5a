import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** A deletion of a few thousand rows takes a second. */
const manyRows = 10_000

/** Whether the deletion of a video would take long. */
export async function hasManyRows(db: Db, id: string): Promise<boolean> {
  const beyond = sql`where video_id = ${id} offset ${sql.lit(manyRows)}`
  const { rows } = await sql<{ hasMany: boolean }>`
    select exists (select from comments ${beyond}) or exists (select from watch_history ${beyond})
      or exists (select from video_likes ${beyond}) as has_many`.execute(db)
  return rows[0]?.hasMany ?? false
}
