import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'

export async function insertChallenge(
  db: Db,
  challenge: { challenge: string; userId: string | null; expiresAt: Date },
): Promise<void> {
  await db.insertInto('passkeyChallenges').values(challenge).execute()
}

/** Uses up a challenge for a person, or with null for a sign-in. Returns whether it was there and had not expired. */
export async function deleteChallenge(
  db: Db,
  { challenge, userId, now }: { challenge: string; userId: string | null; now: Date },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challenge)
    .where('userId', 'is not distinct from', userId)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkeyChallenges').where('expiresAt', '<=', now).execute()
}

export async function listPasskeysOf(db: Db, userId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'usedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .execute()
}

/** Adds a passkey unless the account has `max` or the key is in use. Returns whether it did. */
export async function insertPasskey(
  db: Db,
  passkey: {
    id: string
    userId: string
    publicKey: Uint8Array
    counter: number
    name: string
    createdAt: Date
  },
  max: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into passkeys (id, user_id, public_key, counter, name, created_at)
    select ${passkey.id}, ${passkey.userId}, ${Buffer.from(passkey.publicKey)}::bytea, ${passkey.counter},
      ${passkey.name}, ${passkey.createdAt}::timestamptz
    where (select count(*) from passkeys where user_id = ${passkey.userId}) < ${max}
    on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

/** A passkey with what a sign-in needs of its account. */
export async function findPasskey(db: Db, id: string) {
  return db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.userId')
    .select([
      'passkeys.publicKey',
      'passkeys.counter',
      'users.id as userId',
      'users.passwordHash',
      'users.suspendedAt',
      'users.deletesAt',
    ])
    .where('passkeys.id', '=', id)
    .executeTakeFirst()
}

export async function updatePasskeyUse(
  db: Db,
  id: string,
  { counter, usedAt }: { counter: number; usedAt: Date },
): Promise<void> {
  await db.updateTable('passkeys').set({ counter, usedAt }).where('id', '=', id).execute()
}

/** Deletes a passkey of a person. Returns whether the person had it. */
export async function deletePasskeyOf(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
