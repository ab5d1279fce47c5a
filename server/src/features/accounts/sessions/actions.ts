import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import type { Session } from '@kinora/contract/accounts/sessions.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { choicesOf } from '../../../context/list-choices.ts'
import { retryDeadlocks } from '@kinora/platform/db/errors/deadlock.ts'
import { AppError, signInFirst } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { hashOfToken, newToken } from '@kinora/platform/secret-token.ts'
import {
  deleteKnownAddresses,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOf,
  deleteLeastRecentDevices,
  deleteLeastRecentlyUsed,
  deleteSessionById,
  findLeaving,
  findSession,
  listSessionsOf,
  lockSession,
  insertSession,
  isAddressKnown,
  isCredentialValid,
  updateExpiry,
  updateUse,
  upsertKnownAddress,
  upsertKnownDevice,
} from './queries.ts'
import { apiTokenPrefix } from '@kinora/platform/http/security/api-token.ts'
import { resumeApiToken, revokeApiTokens } from '../api-tokens/actions.ts'
import { sendMail } from '../../messages/mail/actions/send-mail.ts'
import { insertSignInNotification } from '../../messages/notifications/queries/account.ts'
import { expiryFrom, isDueForRenewal, knownSince } from './rules.ts'
import { sessionsEnded } from '../../../context/topics.ts'
import { newDeviceLimit } from './limits.ts'

/** More than anybody has devices. A further login ends the least recently used session. */
const sessionsPerUser = 100
const devicesPerUser = 100

/** Resolution of a session's time of last use: a write for every request would cost too much. */
const useStaleMs = 20_000

/**
 * Starts a session for a user whose password was verified against `passwordHash`. Returns its token, of which the
 * database has only a hash. Undefined if the password was changed in the meantime.
 */
export async function startSession(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  { id: userId, passwordHash, device = '' }: { id: string; passwordHash: string; device?: string },
): Promise<string | undefined> {
  const token = newToken()
  const now = clock.now()
  const expiresAt = expiryFrom(now, now, config)
  const session = { tokenHash: hashOfToken(token), userId, createdAt: now, expiresAt, device }
  if (!(await insertSession(db, session, passwordHash))) return undefined
  // simultaneous sign-ins of one account delete the same sessions
  await retryDeadlocks(() => deleteLeastRecentlyUsed(db, userId, session.tokenHash, sessionsPerUser))
  return token
}

/** The account of a session that is being deleted by its holder; undefined for every other session. */
export function findLeavingByToken(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): ReturnType<typeof findLeaving> {
  return findLeaving(db, hashOfToken(token), clock.now())
}

/**
 * The user of a token; null if the session has ended.
 *
 * Extends sessions in use at most once a day; `wasRenewed` is set if this call did.
 */
export async function resumeSession(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  token: string,
): Promise<{ viewer: Viewer; wasRenewed: boolean } | null> {
  const tokenHash = hashOfToken(token)
  const now = clock.now()
  const session = await findSession(db, tokenHash, now)
  if (!session) return null
  // after further sign-ins the recorded use decides which session ends
  const isUseStale = session.hasNewer || now.getTime() - session.usedAt.getTime() > useStaleMs
  if (isUseStale) await updateUse(db, tokenHash, now)
  const expiresAt = expiryFrom(now, session.createdAt, config)
  const wasRenewed =
    isDueForRenewal(session.expiresAt, now, config.sessionDays) &&
    expiresAt.getTime() !== session.expiresAt.getTime()
  if (wasRenewed) await updateExpiry(db, tokenHash, expiresAt)
  const { id, username, role, hasMuted, createdAt: signedInAt } = session
  return { viewer: { id, username, role, hasMuted, choices: choicesOf(session), signedInAt }, wasRenewed }
}

/** The user id of the session of a token, or of an API token that may read; undefined for any other and without one. */
export async function findViewerId(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  token: string | undefined,
): Promise<string | undefined> {
  if (token?.startsWith(apiTokenPrefix)) {
    const found = await resumeApiToken(context, token)
    return found?.scopes.includes('read') ? found.viewer.id : undefined
  }
  const session = token === undefined ? null : await resumeSession(context, token)
  return session?.viewer.id
}

/**
 * Repeats the check of session or API token within a transaction, for requests that take long. Throws `unauthenticated` if it
 * has ended or the account was deleted, and `forbidden` if it was suspended.
 */
export async function assertStillSignedIn(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { token, userId }: { token: string; userId: string },
): Promise<void> {
  const standing = await lockSession(db, userId, hashOfToken(token), clock.now())
  if (standing?.isSuspended) throw new AppError(accountErrors.suspended)
  if (!standing?.hasSession) throw signInFirst()
}

/** Notifications can get lost, and an expiring session sends none. */
const checkIntervalMs = 30_000

/** Calls `listener` once the session of a token, or the API token, has ended, until disposed. */
export async function onSessionEnd(
  { db, clock, pubsub, log }: Pick<Context, 'db' | 'clock' | 'pubsub' | 'log'>,
  { token, userId }: { token: string; userId: string },
  listener: () => void,
): Promise<Disposable> {
  const tokenHash = hashOfToken(token)
  const check = () =>
    isCredentialValid(db, tokenHash, clock.now()).then(
      (isValid) => isValid || listener(),
      (error: unknown) => log.warn({ err: error }, 'session could not be looked up'),
    )
  const unsubscribe = await pubsub.subscribe(
    sessionsEnded,
    (id) => void (id === userId && check()),
    () => void check(),
  )
  const timer = setInterval(() => void check(), checkIntervalMs)
  timer.unref()
  // it may have ended just before the subscription
  await check()
  return {
    [Symbol.dispose]: () => {
      unsubscribe()
      clearInterval(timer)
    },
  }
}

/** Whether an account has logged in from an address within the days that the site keeps addresses. */
export async function isKnownAddress(
  { db, clock, secret, siteSettings }: Pick<Context, 'db' | 'clock' | 'secret' | 'siteSettings'>,
  userId: string,
  address: string,
): Promise<boolean> {
  const since = knownSince(clock.now(), siteSettings.current.addressDays)
  return isAddressKnown(db, userId, await secret.hash(`known ${userId} ${address}`), since)
}

/** Records that an account has logged in from an address. */
export async function rememberAddress(
  { db, clock, secret }: Pick<Context, 'db' | 'clock' | 'secret'>,
  userId: string,
  address: string,
): Promise<void> {
  const addressHash = await secret.hash(`known ${userId} ${address}`)
  await upsertKnownAddress(db, { userId, addressHash, seenAt: clock.now() })
}

/** Forgets the addresses that an account has logged in from, so that they are no longer trusted. */
export async function forgetAddresses(db: Db, userId: string): Promise<void> {
  await deleteKnownAddresses(db, userId)
}

/**
 * Records that an account has signed in with a device. Where it is new for the account, its owner gets a notification, and
 * a mail where the site sends mail; not for ever more devices, because nobody has confirmed the address of the account.
 */
export async function rememberDevice(
  context: Pick<WebContext, 'db' | 'clock' | 'jobs' | 'mailer' | 'limits'>,
  userId: string,
  device: string,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const isNew = await upsertKnownDevice(transaction, { userId, device, seenAt: context.clock.now() })
    if (!isNew) return
    await deleteLeastRecentDevices(transaction, userId, devicesPerUser)
    const { excess } = await context.limits.of(newDeviceLimit).take(transaction, userId)
    if (excess > 0) return
    await insertSignInNotification(transaction, userId, device)
    await sendMail(context, transaction, { kind: 'sign_in', userId, device })
  })
}

/**
 * The sessions of a user, last used first; `token` is the one of the request. Of the shared account only that one, because
 * the others are of other people.
 */
export async function listSessions(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  user: Viewer,
  token: string,
): Promise<Session[]> {
  const all = await listAllSessions({ db, clock }, user.id, token)
  return isTestAccount(user.username, config) ? all.filter(({ isCurrent }) => isCurrent) : all
}

/** The sessions of a user, last used first; with `token`, that one is marked as current. */
export async function listAllSessions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  token = '',
): Promise<Session[]> {
  const rows = await listSessionsOf(db, { userId, tokenHash: hashOfToken(token), now: clock.now() })
  return rows.map(({ id, device, createdAt, usedAt, isCurrent }) => ({
    _id: id,
    device,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt.toISOString(),
    isCurrent,
  }))
}

/** Ends one session of a user. Throws `not_found` if it has ended already or is another person's. */
export async function endSessionById(db: Db, userId: string, id: string): Promise<void> {
  if (!(await deleteSessionById(db, userId, id))) throw new AppError(accountErrors.sessionEnded)
}

/** Ends a session; does nothing if it has ended already. */
export async function endSession(db: Db, token: string): Promise<void> {
  await deleteSession(db, hashOfToken(token))
}

/** Ends every session and API token of a user. */
export async function endSessions(db: Db, userId: string): Promise<void> {
  await revokeApiTokens(db, userId)
  await deleteSessionsOf(db, userId)
}

/** Ends every session of a user except the one of `keptToken`. */
export async function endOtherSessions(db: Db, userId: string, keptToken: string): Promise<void> {
  await deleteOtherSessions(db, userId, hashOfToken(keptToken))
}
