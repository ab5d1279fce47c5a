import type { TokenScope } from '@kinora/contract/accounts/token-scopes.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { notify } from '@kinora/platform/db/pubsub.ts'
import { sessionsEnded } from '../../../context/topics.ts'

/** A token that has not expired, with its user; undefined otherwise. */
export async function findApiToken(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('apiTokens')
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .select(({ exists, selectFrom }) => [
      'users.id',
      'users.username',
      'users.role',
      'users.sensitiveVideos',
      'users.viewingLanguages',
      'apiTokens.scopes',
      'apiTokens.usedAt',
      'apiTokens.id as tokenId',
      exists(selectFrom('mutedPeople').select('personId').whereRef('mutedPeople.userId', '=', 'users.id')).as(
        'hasMuted',
      ),
    ])
    .where('tokenHash', '=', tokenHash)
    .where('users.suspendedAt', 'is', null)
    .where(({ or, eb }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .executeTakeFirst()
}

export async function updateTokenUse(db: Db, tokenHash: Buffer, usedAt: Date): Promise<void> {
  await db.updateTable('apiTokens').set({ usedAt }).where('tokenHash', '=', tokenHash).execute()
}

/** The tokens of a person, newest first, also expired ones. */
export async function listApiTokensOf(db: Db, userId: string) {
  return db
    .selectFrom('apiTokens')
    .select(['id', 'name', 'scopes', 'createdAt', 'expiresAt', 'usedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
}

/** Adds a token unless the account has `max`. Returns whether it did. */
export async function insertApiToken(
  db: Db,
  token: {
    id: string
    userId: string
    tokenHash: Buffer
    name: string
    scopes: TokenScope[]
    createdAt: Date
    expiresAt: Date | null
  },
  max: number,
): Promise<boolean> {
  // the lock makes concurrent requests count one another's tokens
  const { numAffectedRows } = await sql`
    with owner as materialized (
      select id from users where id = ${token.userId} and suspended_at is null for no key update
    )
    insert into api_tokens (id, user_id, token_hash, name, scopes, created_at, expires_at)
    select ${token.id}, owner.id, ${token.tokenHash}::bytea, ${token.name}, ${token.scopes}::text[],
      ${token.createdAt}::timestamptz, ${token.expiresAt}::timestamptz
    from owner where (select count(*) from api_tokens where user_id = owner.id) < ${max}`.execute(db)
  return numAffectedRows === 1n
}

/** Deletes a token of a person. Returns whether the person had it. */
export async function deleteApiTokenOf(db: Db, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    with ended as (delete from api_tokens where user_id = ${userId} and id = ${id} returning user_id)
    select ${notify(sessionsEnded.name, sql`user_id`)} from ended`.execute(db)
  return rows.length > 0
}

/** Deletes every token of a person. */
export async function deleteApiTokensOf(db: Db, userId: string): Promise<void> {
  await sql`
    with ended as (delete from api_tokens where user_id = ${userId} returning user_id)
    select ${notify(sessionsEnded.name, sql`user_id`)} from ended group by user_id`.execute(db)
}
