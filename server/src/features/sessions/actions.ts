import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Db } from '../../database.ts'
import { AppError, signInFirst } from '../../platform/errors.ts'
import type { Viewer } from '../../platform/http/routing/route.ts'
import {
  deleteKnownAddresses,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOf,
  deleteLeastRecentlyUsed,
  endedTopic,
  findSession,
  lockSession,
  insertSession,
  isAddressKnown,
  updateExpiry,
  updateUse,
  upsertKnownAddress,
} from './queries.ts'
import { expiryFrom, isDueForRenewal, knownSince } from './rules.ts'

// A token is 256 random bits, so that a plain hash of it is as hard to guess as the token.
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Far more than anybody has devices. A further sign-in ends the least recently used session. */
const sessionsPerUser = 100

/** Resolution of a session's time of last use: a write for every request would cost too much. */
const useStaleMs = 20_000

/**
 * Starts a session of who proved to know the password of `passwordHash`. Answers its token, which exists only in the
 * answer: the database has a hash of it. Undefined when the password has been changed in the meantime.
 */
export async function startSession(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  { id: userId, passwordHash }: { id: string; passwordHash: string },
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const now = clock.now()
  const expiresAt = expiryFrom(now, config.sessionDays)
  const session = { tokenHash: hashOf(token), userId, createdAt: now, expiresAt }
  if (!(await insertSession(db, session, passwordHash))) return undefined
  await deleteLeastRecentlyUsed(db, userId, session.tokenHash, sessionsPerUser)
  return token
}

/**
 * Who a token belongs to; null when the session has ended.
 *
 * A session in use goes on: `wasRenewed` tells that its end has moved, at most once a day.
 */
export async function resumeSession(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  token: string,
): Promise<{ viewer: Viewer; wasRenewed: boolean } | null> {
  const tokenHash = hashOf(token)
  const now = clock.now()
  const session = await findSession(db, tokenHash, now)
  if (!session) return null
  if (now.getTime() - session.usedAt.getTime() > useStaleMs) await updateUse(db, tokenHash, now)
  const wasRenewed = isDueForRenewal(session.expiresAt, now, config.sessionDays)
  if (wasRenewed) await updateExpiry(db, tokenHash, expiryFrom(now, config.sessionDays))
  return { viewer: { id: session.id, username: session.username }, wasRenewed }
}

/** Who a token belongs to, where that is all that is asked; undefined for no token, or one whose session has ended. */
export async function findViewerId(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  token: string | undefined,
): Promise<string | undefined> {
  const session = token === undefined ? null : await resumeSession(context, token)
  return session?.viewer.id
}

/**
 * Repeats the session check within a transaction, for requests that take long. Throws `unauthenticated` when the session
 * has ended or the account was deleted, and `forbidden` when it was suspended.
 */
export async function assertStillSignedIn(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { token, userId }: { token: string; userId: string },
): Promise<void> {
  const standing = await lockSession(db, userId, hashOf(token), clock.now())
  if (standing?.isSuspended) throw new AppError('forbidden', 'This account is suspended')
  if (!standing?.hasSession) throw signInFirst()
}

/** Notifications can get lost, and an expiring session sends none. */
const checkIntervalMs = 30_000

/** Calls `listener` once the session of a token has ended, until disposed. */
export async function onSessionEnd(
  { db, clock, pubsub: signals, log }: Pick<Context, 'db' | 'clock' | 'pubsub' | 'log'>,
  { token, userId }: { token: string; userId: string },
  listener: () => void,
): Promise<Disposable> {
  const tokenHash = hashOf(token)
  const check = () =>
    findSession(db, tokenHash, clock.now()).then(
      (session) => session ?? listener(),
      (error: unknown) => log.warn({ err: error }, 'session could not be looked up'),
    )
  const unsubscribe = await signals.subscribe(endedTopic, (message) => void (message === userId && check()))
  const timer = setInterval(() => void check(), checkIntervalMs)
  timer.unref()
  // it may have ended just before this listened
  await check()
  return {
    [Symbol.dispose]: () => {
      unsubscribe()
      clearInterval(timer)
    },
  }
}

/** Whether an account has signed in from an address within the last 90 days. */
export async function isKnownAddress(
  { db, clock, secret }: Pick<Context, 'db' | 'clock' | 'secret'>,
  userId: string,
  address: string,
): Promise<boolean> {
  return isAddressKnown(db, userId, await secret.hash(`known ${userId} ${address}`), knownSince(clock.now()))
}

/** Remembers that an account has signed in from an address. */
export async function rememberAddress(
  { db, clock, secret }: Pick<Context, 'db' | 'clock' | 'secret'>,
  userId: string,
  address: string,
): Promise<void> {
  const addressHash = await secret.hash(`known ${userId} ${address}`)
  await upsertKnownAddress(db, { userId, addressHash, seenAt: clock.now() })
}

/** Forgets the addresses that an account has signed in from, so that holders of its old password are strangers again. */
export async function forgetAddresses(db: Db, userId: string): Promise<void> {
  await deleteKnownAddresses(db, userId)
}

/** Ends a session; one that has ended already is fine. */
export async function endSession(db: Db, token: string): Promise<void> {
  await deleteSession(db, hashOf(token))
}

/** Ends every session of a user. */
export async function endSessions(db: Db, userId: string): Promise<void> {
  await deleteSessionsOf(db, userId)
}

/** Ends every session of a user but the one of `keptToken`. */
export async function endOtherSessions(db: Db, userId: string, keptToken: string): Promise<void> {
  await deleteOtherSessions(db, userId, hashOf(keptToken))
}
