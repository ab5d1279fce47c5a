import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from './database.ts'
import { createTestDatabase } from '@kinora/platform/testing/test-database.ts'
import { findLargeTables, weightedRows } from '@kinora/platform/db/large-tables.ts'
import { createDb, createPool } from '@kinora/platform/db/pool.ts'

test('samples a large table, and reads chosen rows of it exactly', async () => {
  const database = await createTestDatabase()
  // dropping the database may end the connection first
  const db = createDb<Database>(createPool(database.url, 1).on('error', () => undefined))
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
  })
  await sql`create table measured as select n, case when n <= 10 then 100000 else 1 end as size
    from generate_series(1, 600000) n`.execute(db)
  await sql`create table others as select 1 as n, 1 as size`.execute(db)
  await sql`analyze measured, others`.execute(db)
  const large = await findLargeTables(db, ['measured', 'others'])
  expect([...large.keys()]).toEqual(['measured'])
  expect(large.get('measured')?.rows).toBe(600_000)
  expect(large.get('measured')?.percent).toBeLessThan(100)

  const sumOf = async (table: string, percent?: number) => {
    const source = weightedRows(table, percent ? { rows: 600_000, percent } : undefined, sql`n <= 10`)
    const { rows } = await sql<{ size: number; count: number; read: number }>`
      select sum(weight * size)::float8 as size, sum(weight)::float8 as count, count(*)::int as read from ${source} s`.execute(
      db,
    )
    return rows[0]
  }
  expect(await sumOf('others')).toMatchObject({ read: 1 })
  const sample = await sumOf('measured', 10)
  expect(sample).toEqual(await sumOf('measured', 10))
  expect(sample?.read).toBeLessThan(100_000)
  expect(Math.abs((sample?.count ?? 0) - 600_000)).toBeLessThan(90_000)
  expect(Math.abs((sample?.size ?? 0) - 1_599_990)).toBeLessThan(90_000)
})
