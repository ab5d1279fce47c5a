import type { Role } from '@kinora/contract/accounts/roles.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { notify } from '@kinora/platform/db/pubsub.ts'
import type { ChoiceRow } from '../../../context/list-choices.ts'
import { sessionsEnded } from '../../../context/topics.ts'
import { isNotLeaving } from '../../visibility/queries.ts'

interface FoundSession extends ChoiceRow {
  /** Id of the user. */
  id: string
  username: string
  role: Role
  createdAt: Date
  expiresAt: Date
  usedAt: Date
  /** Whether the account has signed in again since the recorded use of this session. */
  hasNewer: boolean
  hasMuted: boolean
}

/** The session of a token that has not ended, with its user. */
export async function findSession(db: Db, tokenHash: Buffer, now: Date): Promise<FoundSession | undefined> {
  // Runs for every request of signed-in people, and Kysely's methods take six times as long to build a statement.
  const { rows } = await sql<FoundSession>`
    select u.id, u.username, u.role, s.created_at, s.expires_at, s.used_at, u.sensitive_videos, u.viewing_languages,
      exists (select from sessions newer where newer.user_id = u.id and newer.created_at > s.used_at) as has_newer,
      exists (select from muted_people m where m.user_id = u.id) as has_muted
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${tokenHash} and s.expires_at > ${now} and ${isNotLeaving()}`.execute(db)
  return rows[0]
}

/** The account of a session that is being deleted by its holder. No other query accepts such a session. */
export async function findLeaving(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<{ id: string; username: string; deletesAt: Date } | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.username', 'users.deletesAt'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .where('users.deletesAt', '>', now)
    .$narrowType<{ deletesAt: Date }>()
    .executeTakeFirst()
}

/** Whether the session or API token of a hash has not ended. */
export async function isCredentialValid(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from sessions where token_hash = ${tokenHash}::bytea and expires_at > ${now}::timestamptz
    union all
    select from api_tokens where token_hash = ${tokenHash}::bytea
      and (expires_at is null or expires_at > ${now}::timestamptz)`.execute(db)
  return rows.length > 0
}

/**
 * Locks an account until the end of the transaction, for which its suspension waits, and returns its state with that of one
 * session or API token; undefined if there is no such account.
 */
export async function lockSession(
  db: Db,
  userId: string,
  tokenHash: Buffer,
  now: Date,
): Promise<{ isSuspended: boolean; hasSession: boolean } | undefined> {
  const { rows } = await sql<{ isSuspended: boolean; hasSession: boolean }>`
    select suspended_at is not null as is_suspended, exists (
      select from sessions s
      where s.token_hash = ${tokenHash}::bytea and s.user_id = users.id and s.expires_at > ${now}::timestamptz
      union all
      select from api_tokens t where t.token_hash = ${tokenHash}::bytea and t.user_id = users.id
        and (t.expires_at is null or t.expires_at > ${now}::timestamptz)
    ) as has_session
    from users where id = ${userId} for share`.execute(db)
  return rows[0]
}

/**
 * Inserts a session if `passwordHash` is still the account's and it is not suspended, unless it is being deleted; returns whether it did. Waits for
 * a concurrent change of either, which ends all existing sessions.
 */
export async function insertSession(
  db: Db,
  session: { tokenHash: Buffer; userId: string; createdAt: Date; expiresAt: Date; device: string },
  passwordHash: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sessions (token_hash, user_id, created_at, expires_at, used_at, device)
    select ${session.tokenHash}::bytea, id, ${session.createdAt}::timestamptz, ${session.expiresAt}::timestamptz,
      ${session.createdAt}::timestamptz, ${session.device}
    from users where id = ${session.userId} and password_hash = ${passwordHash}
      and (suspended_at is null or deletes_at is not null)
    for share`.execute(db)
  return numAffectedRows === 1n
}

export async function updateExpiry(db: Db, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await db.updateTable('sessions').set({ expiresAt }).where('tokenHash', '=', tokenHash).execute()
}

export async function updateUse(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ usedAt: now }).where('tokenHash', '=', tokenHash).execute()
}

/** Deletes the least recently used sessions of a user until `max` are left, `keptTokenHash` among them. */
export async function deleteLeastRecentlyUsed(
  db: Db,
  userId: string,
  keptTokenHash: Buffer,
  max: number,
): Promise<void> {
  await sql`
    with ended as (
      delete from sessions where token_hash in (
        select token_hash from sessions where user_id = ${userId} and token_hash <> ${keptTokenHash}
        order by used_at desc, created_at desc offset ${max - 1}
      ) returning user_id
    )
    select ${notify(sessionsEnded.name, sql`user_id`)} from ended group by user_id`.execute(db)
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await sql`
    with ended as (delete from sessions where token_hash = ${tokenHash} returning user_id)
    select ${notify(sessionsEnded.name, sql`user_id`)} from ended`.execute(db)
}

/** Deletes every session of a user except one. */
export async function deleteOtherSessions(db: Db, userId: string, keptTokenHash: Buffer): Promise<void> {
  await sql`
    with ended as (
      delete from sessions where user_id = ${userId} and token_hash <> ${keptTokenHash} returning user_id
    )
    select ${notify(sessionsEnded.name, sql`user_id`)} from ended group by user_id`.execute(db)
}

/** Deletes every session of a user. */
export async function deleteSessionsOf(db: Db, userId: string): Promise<void> {
  await sql`
    with ended as (delete from sessions where user_id = ${userId} returning user_id)
    select ${notify(sessionsEnded.name, sql`user_id`)} from ended group by user_id`.execute(db)
}

/** Id of a session for its owner. It is a hash of what is stored, so it opens nothing. */
const publicId = sql<string>`encode(sha256(token_hash), 'hex')`

/** The sessions of a user that have not ended, last used first. */
export async function listSessionsOf(
  db: Db,
  { userId, tokenHash, now }: { userId: string; tokenHash: Buffer; now: Date },
) {
  return db
    .selectFrom('sessions')
    .select([
      publicId.as('id'),
      'device',
      'createdAt',
      'usedAt',
      sql<boolean>`token_hash = ${tokenHash}`.as('isCurrent'),
    ])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('usedAt', 'desc')
    .execute()
}

/** Deletes a session of a user by its public id. Returns whether the user had it. */
export async function deleteSessionById(db: Db, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    with ended as (delete from sessions where user_id = ${userId} and ${publicId} = ${id} returning user_id)
    select ${notify(sessionsEnded.name, sql`user_id`)} from ended`.execute(db)
  return rows.length > 0
}

/** Records a sign-in with a device. Returns whether the account has signed in before, but never with this device. */
export async function upsertKnownDevice(
  db: Db,
  { userId, device, seenAt }: { userId: string; device: string; seenAt: Date },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with known as materialized (
      select count(*) as all_devices, count(*) filter (where device = ${device}) as same
      from known_devices where user_id = ${userId}
    ), noted as (
      insert into known_devices (user_id, device, seen_at)
      select id, ${device}, ${seenAt}::timestamptz from users where id = ${userId}
      on conflict (user_id, device) do update set seen_at = excluded.seen_at
    )
    select all_devices > 0 and same = 0 as is_new from known`.execute(db)
  return rows[0]?.isNew ?? false
}

/** Forgets the devices of an account but for the `max` that signed in last. */
export async function deleteLeastRecentDevices(db: Db, userId: string, max: number): Promise<void> {
  await sql`
    delete from known_devices where user_id = ${userId} and device in (
      select device from known_devices where user_id = ${userId} order by seen_at desc offset ${max}
    )`.execute(db)
}

/** The last device of an account stays: otherwise the next sign-in would look like its first one, which notifies nobody. */
export async function deleteForgottenDevices(db: Db, before: Date): Promise<void> {
  await sql`
    delete from known_devices forgotten where seen_at <= ${before}::timestamptz and exists (
      select from known_devices later where later.user_id = forgotten.user_id and later.seen_at > forgotten.seen_at
    )`.execute(db)
}

/** Records that an account has logged in from an address, at most once a day. */
export async function upsertKnownAddress(
  db: Db,
  { userId, addressHash, seenAt }: { userId: string; addressHash: Buffer; seenAt: Date },
): Promise<void> {
  await sql`
    insert into known_addresses as known (user_id, address_hash, seen_at)
    select id, ${addressHash}::bytea, ${seenAt}::timestamptz from users where id = ${userId}
    on conflict (user_id, address_hash) do update set seen_at = excluded.seen_at
    where known.seen_at < excluded.seen_at - interval '1 day'`.execute(db)
}

export async function isAddressKnown(
  db: Db,
  userId: string,
  addressHash: Buffer,
  since: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('knownAddresses')
    .select('userId')
    .where('userId', '=', userId)
    .where('addressHash', '=', addressHash)
    .where('seenAt', '>', since)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteKnownAddresses(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('knownAddresses').where('userId', '=', userId).execute()
}

export async function deleteForgottenAddresses(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('knownAddresses').where('seenAt', '<=', before).execute()
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
}
