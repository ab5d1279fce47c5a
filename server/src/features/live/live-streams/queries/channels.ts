import type { LiveEndReason, LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import type { Role } from '@kinora/contract/accounts/roles.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isNotLeaving } from '../../../visibility/queries.ts'

/** The template of a channel, its key, and why its last encoder was refused. */
export interface LiveChannelRow {
  role: Role
  isAllowed: boolean
  isSuspended: boolean
  keyNonce: string | null
  template: LiveTemplate | null
  refusal: { reason: LiveEndReason; at: Date } | null
}

export async function getLiveChannelRow(db: Db, userId: string): Promise<LiveChannelRow> {
  const row = await db
    .selectFrom('users')
    .leftJoin('liveChannels', 'liveChannels.userId', 'users.id')
    .select([
      'users.role',
      'users.suspendedAt',
      'liveChannels.isAllowed',
      'liveChannels.keyNonce',
      'liveChannels.title',
      'liveChannels.description',
      'liveChannels.visibility',
      'liveChannels.keepsRecording',
      'liveChannels.refusal',
      'liveChannels.refusedAt',
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const { title, refusal, refusedAt } = row
  return {
    role: row.role,
    isAllowed: row.isAllowed ?? false,
    isSuspended: row.suspendedAt !== null,
    keyNonce: row.keyNonce,
    template: title
      ? {
          title,
          description: row.description ?? '',
          visibility: row.visibility as LiveTemplate['visibility'],
          keepsRecording: row.keepsRecording ?? true,
        }
      : null,
    refusal: refusal && refusedAt ? { reason: refusal as LiveEndReason, at: refusedAt } : null,
  }
}

/** The channel that has a key. */
export async function findChannelOfKey(db: Db, keyHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('liveChannels')
    .select('userId')
    .where('keyHash', '=', keyHash)
    .executeTakeFirst()
  return row?.userId
}

/** Creates the row of a channel if it has none. */
export async function putLiveChannel(db: Db, userId: string): Promise<void> {
  await db
    .insertInto('liveChannels')
    .values({ userId })
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute()
}

/** Keys and permissions of these channels now. A deleted account is not among the rest. */
export async function listConnectedChannels(
  db: Db,
  userIds: readonly string[],
): Promise<
  { userId: string; keyHash: Buffer | null; isSuspended: boolean; role: Role; isAllowed: boolean }[]
> {
  const rows = await db
    .selectFrom('liveChannels')
    .innerJoin('users', 'users.id', 'liveChannels.userId')
    .select(['users.id as userId', 'keyHash', 'users.suspendedAt', 'users.role', 'isAllowed'])
    .where('users.id', 'in', userIds)
    .execute()
  return rows.map(({ suspendedAt, ...row }) => ({ ...row, isSuspended: suspendedAt !== null }))
}

export async function putLiveTemplate(db: Db, userId: string, template: LiveTemplate): Promise<void> {
  await db
    .insertInto('liveChannels')
    .values({ userId, ...template })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(template))
    .execute()
}

export async function putLiveKey(
  db: Db,
  userId: string,
  key: { keyNonce: string; keyHash: Buffer },
): Promise<void> {
  await db
    .insertInto('liveChannels')
    .values({ userId, ...key })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(key))
    .execute()
}

/** Allows an account to stream, or no longer. Returns whether there is such an account. */
export async function putLivePermission(db: Db, username: string, isAllowed: boolean): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into live_channels (user_id, is_allowed)
    select id, ${isAllowed} from users u where lower(u.username) = lower(${username}) and ${isNotLeaving()}
    on conflict (user_id) do update set is_allowed = excluded.is_allowed`.execute(db)
  return numAffectedRows > 0n
}

/** Records why an encoder was refused, or with null that one was accepted. */
export async function updateRefusal(
  db: Db,
  userId: string,
  refusal: LiveEndReason | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable('liveChannels')
    .set({ refusal, refusedAt: refusal === null ? null : now })
    .where('userId', '=', userId)
    .execute()
}

/** Accounts that administrators allow to stream, by name. */
export function listAllowedChannels(db: Db): Promise<{ username: string; fullname: string }[]> {
  return db
    .selectFrom('liveChannels')
    .innerJoin('users', 'users.id', 'liveChannels.userId')
    .select(['users.username', 'users.fullname'])
    .where('isAllowed', '=', true)
    .orderBy('users.username')
    .execute()
}
