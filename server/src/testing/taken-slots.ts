import { sql } from 'kysely'
import type { Db } from '../database.ts'

const mostSlots = 100

/** How many slots of somebody are taken, in all processes. */
export async function countTakenSlots(
  db: Db,
  name: 'uploads' | 'event_streams',
  key: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks, generate_series(0, ${mostSlots}::int - 1) number
    where locktype = 'advisory'
      and (classid::bigint << 32 | objid::bigint) = hashtextextended(${`${name} ${key} `} || number, 0)`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
