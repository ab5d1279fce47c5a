import { operationErrors } from '@kinora/contract/operations/errors.ts'
import type { Role } from '@kinora/contract/accounts/roles.ts'
import type { Session } from '@kinora/contract/accounts/sessions.ts'
import type { Context } from '../../../context/context.ts'
import type { WithinTransaction, Db } from '../../../context/database.ts'
import { retryDeadlocks } from '@kinora/platform/db/errors/deadlock.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { revokeApiToken, revokeApiTokens } from '../../accounts/api-tokens/actions.ts'
import {
  cancelDeletion,
  deleteSoon,
  hideSuspended,
  showReinstated,
} from '../../portability/account-deletion/actions.ts'
import { isLeaving } from '../../portability/account-deletion/queries.ts'
import { createResetCode } from '../../accounts/passwords/actions.ts'
import * as secondFactor from '../../accounts/second-factor/actions.ts'
import { endSessionById, endSessions, listAllSessions } from '../../accounts/sessions/actions.ts'
import { reinstateUser, suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { resetPassword } from '../../accounts/users/actions/change-password.ts'
import { type Quota, updateQuota, updateRole } from '../../accounts/users/queries.ts'
import { showFiles } from '../../videos/videos/actions/hide-video.ts'
import { type Account, getAccount, getActor, lockRoles } from '../administration/queries.ts'
import { type Actor, assertMayChange } from '../administration/rules.ts'
import { record } from '../administration/actions/audit-log.ts'

/**
 * Throws `forbidden` if the actor was suspended, demoted or deleted since the request began: of two administrators who act
 * on each other at once, one stays. Holds a lock until the end of the transaction.
 */
async function assertStillMayChange(db: Db, actor: Actor, account: Account): Promise<void> {
  await lockRoles(db)
  if (actor) assertMayChange(await getActor(db, actor.id), account)
}

/**
 * Suspends or reinstates the account of a username or email. `hidesContent` also hides its videos and comments; reinstating
 * shows them again, and cancels a deletion. Throws `not_found`, `forbidden`, and `conflict` for the suspension of an account
 * that is being deleted, and if a deletion begins or ends meanwhile.
 */
export async function changeSuspension(
  context: Context,
  actor: Actor,
  name: string,
  {
    isSuspended,
    reason = '',
    hidesContent = false,
  }: { isSuspended: boolean; reason?: string; hidesContent?: boolean },
  withinTransaction?: WithinTransaction,
): Promise<Account> {
  const account = await getAccount(context.db, name)
  assertMayChange(actor, account)
  if (isSuspended && account.deletesAt) throw new AppError(operationErrors.accountLeaving)
  const isHiding = isSuspended && hidesContent
  const reinstateOrKeep = account.deletesAt ? cancelDeletion : reinstateUser
  let isChanged = false
  let shown: string[] = []
  const write = async (db: Db) => {
    isChanged = true
    // again under the lock: its holder may have begun to delete it since it was read
    if (reinstateOrKeep !== cancelDeletion && (await isLeaving(db, account.id))) throw changedMeanwhile()
    await assertStillMayChange(db, actor, account)
    await record({ ...context, db }, actor, isSuspended ? 'suspend' : 'reinstate', [
      {
        subject: account.username,
        details: (isHiding ? `${reason} (content hidden)`.trim() : reason) || null,
      },
    ])
    if (isHiding) await hideSuspended({ ...context, db }, account.id)
    if (!isSuspended) shown = await showReinstated({ ...context, db }, account.id)
    await withinTransaction?.(db)
  }
  // a concurrent like locks its video first and the account second, so deadlocks are possible
  await retryDeadlocks(() => (isSuspended ? suspendUser : reinstateOrKeep)(context, account.id, write))
  if (!isChanged) throw changedMeanwhile()
  context.cacheTags.clear(['videos', 'comments'])
  for (const id of shown) await showFiles(context, id)
  return account
}

const changedMeanwhile = () => new AppError(operationErrors.accountChanged)

/** Changes the role of the account of a username or email. Throws `not_found` and `forbidden`. */
export async function changeRole(context: Context, actor: Actor, name: string, role: Role): Promise<Account> {
  const account = await getAccount(context.db, name)
  assertMayChange(actor, account)
  await context.db.transaction().execute(async (db) => {
    await assertStillMayChange(db, actor, account)
    await updateRole(db, account.id, role)
    await record({ ...context, db }, actor, 'change_role', [{ subject: account.username, details: role }])
  })
  return account
}

/** Changes what the account of a username or email may upload. Throws `not_found`. */
export async function changeQuota(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  name: string,
  quota: Quota,
): Promise<Account> {
  const account = await getAccount(context.db, name)
  const limits = [
    ...(quota.quotaBytes === null ? [] : [formatBytes(quota.quotaBytes)]),
    ...(quota.quotaVideos === null ? [] : [`videos: ${quota.quotaVideos}`]),
    ...(quota.quotaDailyBytes ? [`${formatBytes(quota.quotaDailyBytes)} a day`] : []),
    ...(quota.quotaVideoMinutes ? [`minutes of a video: ${quota.quotaVideoMinutes}`] : []),
  ]
  const details = limits.join(', ') || 'quota of the site'
  await context.db.transaction().execute(async (db) => {
    await updateQuota(db, account.id, quota)
    await record({ ...context, db }, actor, 'change_quota', [{ subject: account.username, details }])
  })
  return account
}

/**
 * Deletes the account of a username or email with everything that belongs to it. Returns the number of deleted videos.
 * Throws `not_found` and `forbidden`.
 */
export async function deletePerson(context: Context, actor: Actor, name: string): Promise<number> {
  const account = await getAccount(context.db, name)
  assertMayChange(actor, account)
  return deleteSoon(context, account.id, async (db) => {
    await assertStillMayChange(db, actor, account)
    await record({ ...context, db }, actor, 'delete_account', [{ subject: account.username }])
  })
}

/** The account of a username or email, which the actor may change. Throws `not_found` and `forbidden`. */
async function getChangeable({ db }: Pick<Context, 'db'>, actor: Actor, name: string): Promise<Account> {
  const account = await getAccount(db, name)
  assertMayChange(actor, account)
  return account
}

/** The sessions of somebody, last used first. Throws `not_found` and `forbidden`. */
export async function listSessionsOf(context: Context, actor: Actor, name: string): Promise<Session[]> {
  const { id } = await getChangeable(context, actor, name)
  return listAllSessions(context, id)
}

/**
 * Ends one session of somebody, or without `sessionId` all of them with the API tokens. Throws `not_found` and
 * `forbidden`.
 */
export async function endSessionsOf(
  context: Context,
  actor: Actor,
  name: string,
  sessionId?: string,
): Promise<Account> {
  const account = await getChangeable(context, actor, name)
  await context.db.transaction().execute(async (db) => {
    await assertStillMayChange(db, actor, account)
    if (sessionId === undefined) await endSessions(db, account.id)
    else await endSessionById(db, account.id, sessionId)
    await record({ ...context, db }, actor, 'end_sessions', [
      { subject: account.username, details: sessionId === undefined ? null : 'one session' },
    ])
  })
  return account
}

/**
 * Creates a link with which somebody sets a new password, for sites without mail and people without their mailbox.
 * Throws `not_found` and `forbidden`.
 */
export async function createPasswordLink(
  context: Context,
  actor: Actor,
  name: string,
): Promise<{ username: string; code: string; expiresAt: Date }> {
  const account = await getChangeable(context, actor, name)
  return context.db.transaction().execute(async (db) => {
    await assertStillMayChange(db, actor, account)
    const link = await createResetCode({ ...context, db }, account)
    await record({ ...context, db }, actor, 'create_password_link', [{ subject: account.username }])
    return { username: account.username, ...link }
  })
}

/** Sets a new password of somebody and ends all sessions. Throws `not_found`, `forbidden` and `invalid`. */
export async function resetPasswordOf(
  context: Context,
  actor: Actor,
  name: string,
  password: string,
): Promise<Account> {
  const account = await getChangeable(context, actor, name)
  await resetPassword(context, account.id, password, async (db) => {
    await assertStillMayChange(db, actor, account)
    await record({ ...context, db }, actor, 'reset_password', [{ subject: account.username }])
  })
  return account
}

/** Lets somebody sign in by the password alone. Throws `not_found` and `forbidden`. */
export async function removeSecondFactorOf(context: Context, actor: Actor, name: string): Promise<Account> {
  const account = await getChangeable(context, actor, name)
  await secondFactor.remove(context, account.id, async (db) => {
    await assertStillMayChange(db, actor, account)
    await record({ ...context, db }, actor, 'remove_second_factor', [{ subject: account.username }])
  })
  return account
}

/** Revokes an API token of somebody, or without `tokenId` all of them. Throws `not_found` and `forbidden`. */
export async function revokeTokensOf(
  context: Context,
  actor: Actor,
  name: string,
  tokenId?: string,
): Promise<Account> {
  const account = await getChangeable(context, actor, name)
  await context.db.transaction().execute(async (db) => {
    await assertStillMayChange(db, actor, account)
    await (tokenId === undefined ? revokeApiTokens(db, account.id) : revokeApiToken(db, account.id, tokenId))
    await record({ ...context, db }, actor, 'revoke_token', [
      { subject: account.username, details: tokenId ?? 'all' },
    ])
  })
  return account
}
