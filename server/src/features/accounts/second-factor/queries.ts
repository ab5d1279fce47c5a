import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'

/** The secret of an account, confirmed or not. */
export async function findSecret(
  db: Db,
  userId: string,
): Promise<{ secret: string; isConfirmed: boolean } | undefined> {
  return db
    .selectFrom('secondFactors')
    .select(['secret', 'isConfirmed'])
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Replaces a secret that was not confirmed. Returns false where one is confirmed. */
export async function putSecret(db: Db, userId: string, secret: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into second_factors as kept (user_id, secret) values (${userId}, ${secret})
    on conflict (user_id) do update set secret = excluded.secret where not kept.is_confirmed`.execute(db)
  return numAffectedRows === 1n
}

/** Notes the time step of a code. Returns false where that one or a later one was accepted before. */
export async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Confirms a secret by a code of a time step. Returns false where it was replaced or is confirmed already. */
export async function confirmSecret(
  db: Db,
  { userId, secret, step }: { userId: string; secret: string; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secondFactors')
    .set({ isConfirmed: true, lastStep: step })
    .where('userId', '=', userId)
    .where('secret', '=', secret)
    .where('isConfirmed', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteSecret(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('secondFactors').where('userId', '=', userId).execute()
}

/** Replaces the recovery codes of an account. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: Buffer[]): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  if (hashes.length === 0) return
  await db
    .insertInto('recoveryCodes')
    .values(hashes.map((codeHash) => ({ userId, codeHash })))
    .execute()
}

/** Uses up a recovery code. Returns whether the account had it. */
export async function deleteRecoveryCode(db: Db, userId: string, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}
