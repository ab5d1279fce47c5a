import type { Db } from '../../database.ts'
import type { MailKind } from './rules.ts'

/** The address and username of an account; undefined if it was deleted. */
export async function findRecipient(db: Db, userId: string) {
  return db.selectFrom('users').select(['email', 'username']).where('id', '=', userId).executeTakeFirst()
}

export async function insertCode(
  db: Db,
  code: { codeHash: Buffer; userId: string; purpose: MailKind; expiresAt: Date },
): Promise<void> {
  await db.insertInto('mailCodes').values(code).execute()
}

/** The account of a code that has not expired. */
export async function findCodeOwner(
  db: Db,
  { codeHash, purpose, now }: { codeHash: Buffer; purpose: MailKind; now: Date },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('mailCodes')
    .select('userId')
    .where('codeHash', '=', codeHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row?.userId
}

/** Deletes a code. Returns whether it was there: of concurrent requests, one gets true. */
export async function deleteCode(db: Db, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mailCodes')
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the codes of an account, so that no link works that was sent before. */
export async function deleteCodesOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('mailCodes').where('userId', '=', userId).execute()
}

export async function deleteExpiredCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mailCodes').where('expiresAt', '<=', now).execute()
}
