import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'

/** The account of a case-insensitive address. */
export async function findAccount(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where(sql`lower(email)`, '=', sql<string>`lower(${email})`)
    .executeTakeFirst()
}
