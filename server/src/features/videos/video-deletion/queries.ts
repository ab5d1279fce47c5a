import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'

/** A deletion of a few thousand rows takes a second. */
const manyRows = 10_000

/** Tables with rows of videos, maybe by the million. They would go with the video, by their foreign keys. */
export const largeTables = ['comments', 'chat_messages', 'watch_history', 'video_likes'] as const
type LargeTable = (typeof largeTables)[number]

/** Whether the deletion of a video would take long. */
export async function hasManyRows(db: Db, id: string): Promise<boolean> {
  const exceeding = largeTables.map(
    (table) =>
      sql`exists (select from ${sql.table(table)} where video_id = ${id} offset ${sql.lit(manyRows)})`,
  )
  const { rows } = await sql<{ hasMany: boolean }>`
    select ${sql.join(exceeding, sql` or `)} as has_many`.execute(db)
  return rows[0]?.hasMany ?? false
}

/** Deletes some rows of a video. Returns how many, without the replies that go with a comment. */
export async function deleteRows(db: Db, table: LargeTable, id: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where video_id = ${id} limit ${limit}
    ))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
