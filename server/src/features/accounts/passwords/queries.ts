import type { Db } from '../../../context/database.ts'
import { isEmail } from '../users/queries.ts'

/** The account of a case-insensitive address. */
export async function findAccount(db: Db, email: string) {
  return db.selectFrom('users').select(['id', 'username']).where(isEmail(email)).executeTakeFirst()
}
