import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { lockUsers } from '../users/queries.ts'

export interface OidcRequest {
  stateHash: Buffer
  browserHash: Buffer
  issuer: string
  nonce: string
  codeVerifier: string
  userId: string | null
  invitation: string
  expiresAt: Date
}

export async function insertRequest(db: Db, request: OidcRequest): Promise<void> {
  await db.insertInto('oidcRequests').values(request).execute()
}

/** Uses up a request of this browser. Returns undefined if it is unknown, used, expired or of another browser. */
export async function takeRequest(
  db: Db,
  {
    stateHash,
    browserHash,
    issuer,
    now,
  }: Pick<OidcRequest, 'stateHash' | 'browserHash' | 'issuer'> & { now: Date },
): Promise<OidcRequest | undefined> {
  return db
    .deleteFrom('oidcRequests')
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', browserHash)
    .where('issuer', '=', issuer)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteExpiredRequests(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oidcRequests').where('expiresAt', '<=', now).execute()
}

interface Identity {
  issuer: string
  subject: string
}

/** Stores the time of a sign-in by an identity. Returns what the sign-in needs of its account. */
export async function recordIdentityUse(db: Db, { issuer, subject }: Identity, now: Date) {
  return db
    .updateTable('oidcIdentities')
    .from('users')
    .set({ usedAt: now })
    .whereRef('users.id', '=', 'oidcIdentities.userId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning([
      'users.id',
      'users.passwordHash',
      'users.suspendedAt',
      'users.awaitsApproval',
      'users.deletesAt',
    ])
    .executeTakeFirst()
}

/** Connects an account with an identity. Returns whether neither was connected with another one. */
export async function insertIdentity(
  db: Db,
  identity: Identity & { userId: string; createdAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('oidcIdentities')
    .values({ ...identity, usedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function listIdentities(db: Db, userId: string) {
  return db
    .selectFrom('oidcIdentities')
    .select(['issuer', 'createdAt', 'usedAt'])
    .where('userId', '=', userId)
    .execute()
}

export async function hasPassword(db: Db, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('hasPassword').where('id', '=', userId).executeTakeFirst()
  return user?.hasPassword === true
}

/**
 * Disconnects an account from an issuer. Throws `not_found` if it is not connected, `conflict` if nothing else signs it in:
 * no password, no passkey and none of the `issuers` of the site.
 */
export async function deleteIdentity(
  db: Db,
  userId: string,
  { issuer, issuers }: { issuer: string; issuers: string[] },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // of two at once, the second sees what the first has left
    await lockUsers(transaction, [userId])
    const { numDeletedRows } = await transaction
      .deleteFrom('oidcIdentities')
      .where('userId', '=', userId)
      .where('issuer', '=', issuer)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError(accountErrors.providerNotConnected)
    const { rows } = await sql`
      select 1 from users u where u.id = ${userId} and (u.has_password
        or exists (select 1 from oidc_identities i where i.user_id = u.id and i.issuer = any(${issuers}::text[]))
        or exists (select 1 from passkeys p where p.user_id = u.id))`.execute(transaction)
    if (rows.length === 0) throw new AppError(accountErrors.lastSignInMethod)
  })
}
