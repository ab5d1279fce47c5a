import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** The session of a token that has not ended, with who it belongs to. */
export async function findSession(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.username', 'sessions.expiresAt'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/**
 * Inserts a session for who proved to know the password of `passwordHash`. Answers false when that is not the
 * password any more: a change of it at the same moment is waited for, as it ends all sessions that there are.
 */
export async function insertSession(
  db: Db,
  session: { tokenHash: Buffer; userId: string; createdAt: Date; expiresAt: Date },
  passwordHash: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sessions (token_hash, user_id, created_at, expires_at)
    select ${session.tokenHash}::bytea, id, ${session.createdAt}::timestamptz, ${session.expiresAt}::timestamptz
    from users where id = ${session.userId} and password_hash = ${passwordHash}
    for share`.execute(db)
  return numAffectedRows === 1n
}

export async function updateExpiry(db: Db, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await db.updateTable('sessions').set({ expiresAt }).where('tokenHash', '=', tokenHash).execute()
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute()
}

/** Deletes every session of a user but one. */
export async function deleteOtherSessions(db: Db, userId: string, keptTokenHash: Buffer): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('tokenHash', '!=', keptTokenHash)
    .execute()
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
}
