import type { AuditAction } from '@kinora/contract/administration.ts'
import type { Invitation } from '@kinora/contract/invitations.ts'
import { hasRole, type Role } from '@kinora/contract/roles.ts'
import type { Session } from '@kinora/contract/sessions.ts'
import type { Context } from '../../context.ts'
import type { AlsoWrite, Db } from '../../database.ts'
import { reuseSlowResults } from '../../platform/concurrency/reuse-slow-results.ts'
import { retryDeadlocks } from '../../platform/db/errors/deadlock.ts'
import { allowLongStatements } from '../../platform/db/pool.ts'
import { dayMs } from '../../platform/durations.ts'
import { formatBytes } from '../../platform/format-bytes.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { revokeApiToken, revokeApiTokens } from '../api-tokens/actions.ts'
import { cancelDeletion, deleteAccount, hideSuspended, showReinstated } from '../account-deletion/actions.ts'
import { isHiddenWithOwner, isLeaving } from '../account-deletion/queries.ts'
import { changeHeldComments, deleteComments, restoreComments } from '../comments/actions.ts'
import { moderation } from '../comments/queries/deletions.ts'
import { createResetCode } from '../passwords/actions.ts'
import { reprocess } from '../playback/actions/reprocess.ts'
import * as secondFactor from '../second-factor/actions.ts'
import { endSessionById, endSessions, listAllSessions } from '../sessions/actions.ts'
import { reinstateUser, resetPassword, suspendUser } from '../users/actions.ts'
import {
  deleteInvitation as deleteInvitationRow,
  insertInvitation,
  listInvitations,
} from '../invitations/queries.ts'
import { type Quota, updateQuota, updateRole } from '../users/queries.ts'
import { deleteAnyVideo } from '../video-deletion/actions/delete-video.ts'
import { changeApproval } from '../videos/actions/change-visibility.ts'
import { reinstate, showFiles, takeDown } from '../videos/actions/hide-video.ts'
import {
  type Account,
  countAll,
  getAccount,
  getActor,
  getOwnerId,
  getTitle,
  insertAuditEntries,
  lockRoles,
} from './queries.ts'
import { type Actor, actorName, assertMayChange, assertMayShowAgain } from './rules.ts'

/** Counts of the site's content; on a large site they may be some minutes old. */
export const getOverview = reuseSlowResults(
  ({ db, clock }: Pick<Context, 'db' | 'clock'>, moderatorId: string) =>
    db.transaction().execute(async (transaction) => {
      await allowLongStatements(transaction)
      return countAll(transaction, clock.now(), moderatorId)
    }),
)

type Subject = { subject: string; details?: string | null }

/** Records what an actor does, in the transaction of the action. */
export async function record(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  action: AuditAction,
  subjects: readonly Subject[],
): Promise<void> {
  const entry = { happenedAt: clock.now(), actor: actorName(actor), action }
  await insertAuditEntries(
    db,
    subjects.map(({ subject, details = null }) => ({ ...entry, subject, details })),
  )
}

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
  also?: AlsoWrite,
): Promise<Account> {
  const account = await getAccount(context.db, name)
  assertMayChange(actor, account)
  if (isSuspended && account.deletesAt)
    throw new AppError('conflict', 'This account is being deleted, and hidden already')
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
    if (!isSuspended) shown = await showReinstated(db, account.id)
    await also?.(db)
  }
  // a concurrent like locks its video first and the account second, so deadlocks are possible
  await retryDeadlocks(() => (isSuspended ? suspendUser : reinstateOrKeep)(context, account.id, write))
  if (!isChanged) throw changedMeanwhile()
  context.cacheTags.clear(['videos', 'comments'])
  for (const id of shown) await showFiles(context, id)
  return account
}

const changedMeanwhile = () =>
  new AppError('conflict', 'The account has changed meanwhile. Reload the list and decide again.')

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
  return deleteAccount(context, account.id, async (db) => {
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

/** Encodes a video of anybody again, which remains playable. Throws `not_found`. */
export async function reprocessAny(context: Context, actor: Actor, id: string): Promise<void> {
  const title = await getTitle(context.db, id)
  await reprocess(context, id, (db) =>
    record({ ...context, db }, actor, 'reprocess_video', [{ subject: id, details: title }]),
  )
}

/** Hides a video from everybody but its owner, who reads the reason; null shows it again. Throws `not_found` and `forbidden`. */
export async function changeTakedown(
  context: Context,
  actor: Actor,
  id: string,
  reason: string | null,
  also?: AlsoWrite,
): Promise<void> {
  const write = async (db: Db) => {
    await record({ ...context, db }, actor, reason === null ? 'show_again' : 'take_down', [
      { subject: id, details: reason },
    ])
    await also?.(db)
  }
  if (reason === null) assertMayShowAgain(actor, await getOwnerId(context.db, id))
  if (reason === null && (await isHiddenWithOwner(context.db, id)))
    throw new AppError('conflict', 'This video is hidden with its account. Reinstate the account')
  if (reason === null) await reinstate(context, id, write)
  else await takeDown(context, id, reason, write)
}

/** Publishes a video that waits for approval, or has one wait again. Throws `not_found` and `conflict`. */
export async function changeVideoApproval(
  context: Context,
  actor: Actor,
  id: string,
  isApproved: boolean,
): Promise<void> {
  const title = await getTitle(context.db, id)
  await changeApproval(context, id, isApproved, (db) =>
    record({ ...context, db }, actor, isApproved ? 'approve_video' : 'hold_video', [
      { subject: id, details: title },
    ]),
  )
}

/** Deletes a video of anybody. Throws `not_found`. */
export async function deleteVideo(context: Context, actor: Actor, id: string): Promise<void> {
  const title = await getTitle(context.db, id)
  await deleteAnyVideo(context, id, (db) =>
    record({ ...context, db }, actor, 'delete_video', [{ subject: id, details: title }]),
  )
}

/** Deletes comments of anybody; for 30 days they can be restored. Returns the ids of those that existed. */
export async function deleteAnyComments(
  context: Context,
  actor: Actor,
  ids: readonly string[],
  also?: (db: Db, deleted: string[]) => Promise<void>,
): Promise<string[]> {
  const deleted = await deleteComments(context.db, ids, moderation, async (db, hidden) => {
    const subjects = hidden.map(({ id, content }) => ({ subject: id, details: content.slice(0, 200) }))
    await record({ ...context, db }, actor, 'delete_comment', subjects)
    await also?.(
      db,
      hidden.map(({ id }) => id),
    )
  })
  return deleted.map(({ id }) => id)
}

/** The author whose comments an actor may not publish: another moderator decides about a moderator's own. */
const ownOfModerator = (actor: Actor): string | null =>
  actor && !hasRole(actor.role, 'administrator') ? actor.id : null

/**
 * Restores comments that `deleteAnyComments` deleted within the last 30 days, but for a moderator's own. Returns the ids of
 * those.
 */
export async function restoreAnyComments(
  context: Context,
  actor: Actor,
  ids: readonly string[],
  also?: (db: Db, restored: string[]) => Promise<void>,
): Promise<string[]> {
  return context.db.transaction().execute(async (db) => {
    const restored = await restoreComments(db, ids, ownOfModerator(actor))
    const subjects = restored.map((id) => ({ subject: id }))
    await record({ ...context, db }, actor, 'restore_comment', subjects)
    await also?.(db, restored)
    return restored
  })
}

/**
 * Publishes comments that wait for approval, but for a moderator's own, or has them wait again. Returns the ids of those that
 * changed.
 */
export async function changeHeldOfAny(
  context: Context,
  actor: Actor,
  ids: readonly string[],
  isHeld: boolean,
): Promise<string[]> {
  const changed = await changeHeldComments(
    context.db,
    ids,
    isHeld ? 'heldBySite' : 'published',
    (db, comments) =>
      record(
        { ...context, db },
        actor,
        isHeld ? 'hold_comment' : 'approve_comment',
        comments.map(({ id, content }) => ({ subject: id, details: content.slice(0, 200) })),
      ),
    isHeld ? null : ownOfModerator(actor),
  )
  return changed.map(({ id }) => id)
}

/** Creates a link with which `maxUses` people can register for some days. */
export async function createInvitation(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { maxUses, days }: { maxUses: number; days: number },
): Promise<Invitation> {
  const id = newId()
  const createdAt = context.clock.now()
  const expiresAt = new Date(createdAt.getTime() + days * dayMs)
  return context.db.transaction().execute(async (db) => {
    await insertInvitation(db, { id, createdBy: actor?.id ?? null, createdAt, expiresAt, maxUses })
    // The log does not hold the whole secret.
    await record({ ...context, db }, actor, 'create_invitation', [
      { subject: `${id.slice(0, 4)}…`, details: `${maxUses} × ${days} d` },
    ])
    const [created] = await listInvitations(db, id)
    if (!created) throw new Error('An inserted row is found in its transaction')
    return created
  })
}

/** Deletes an invitation. Throws `not_found`. */
export async function deleteInvitation(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    await deleteInvitationRow(db, id)
    await record({ ...context, db }, actor, 'delete_invitation', [{ subject: `${id.slice(0, 4)}…` }])
  })
}
