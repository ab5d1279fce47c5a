import { setTimeout as sleep } from 'node:timers/promises'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import type { WebContext } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError, fieldError } from '@kinora/platform/errors.ts'
import { isKnownAddress } from '../../sessions/actions.ts'
import { findCredentials, findSuspensionReason } from '../queries.ts'
import { verifyAnyPassword } from './hash-password.ts'
import { loginLimits } from '../limits.ts'

/**
 * Delay per failed login beyond the hourly limit of an account, and its maximum: browsers and proxies wait no longer.
 */
const delayStepMs = 100
const maxDelayMs = 30_000

/**
 * The account of a name and password; undefined if they do not match. Throws `too_many_requests` after too many
 * failures from this address, for the account or for any names. Failures from all addresses delay the response. Neither
 * affects the right password from an address that the account has logged in from, or with a right code of a second factor:
 * only failures from that address delay it.
 *
 * An unknown name takes the same time as a wrong password, so that accounts cannot be probed. Only a client with the
 * right password learns that an account is suspended: `forbidden`.
 */
export async function findByPassword(
  context: Pick<WebContext, 'db' | 'limits' | 'log' | 'clock' | 'secret' | 'siteSettings'>,
  {
    name,
    password,
    from,
    isSuspendedToo = false,
    provesItself = async () => false,
  }: {
    name: string
    password: string
    from: { address: string; network: string }
    /** Returns suspended accounts as well. */
    isSuspendedToo?: boolean
    /** Whether the client has a right code of the account's second factor. */
    provesItself?: (userId: string) => Promise<boolean>
  },
): Promise<{ id: string; passwordHash: string } | undefined> {
  const { db, limits, log } = context
  const { address, network } = from
  const user = await findCredentials(db, name)
  const account = user ? `account ${user.id}` : `name ${name.toLowerCase()}`
  const isKnown = user !== undefined && (await isKnownAddress(context, user.id, address))
  // counted before the password is checked, and refunded if it is right: only failures add up
  const refusal = await takeLogin(context, account, from)
  if (refusal && !isKnown && !(user && (await provesItself(user.id)))) throw refusal
  const window = isKnown ? `${account} ${address}` : account
  const { excess } = await limits.of(loginLimits).ofAccount.take(db, window)
  if (excess > 0) {
    await using _slot = await limits.of(loginLimits).delayed.take(`${account} ${network}`)
    await sleep(Math.min(excess * delayStepMs, maxDelayMs))
  }
  const isRight = await verifyAnyPassword(user?.passwordHash, password)
  if (!user || !isRight) {
    // never the name as typed: it may be a password in the wrong field
    log.info({ userId: user?.id ?? null, address }, 'sign-in failed')
    if (refusal) throw refusal
    return undefined
  }
  if (!refusal) await giveBackLogin(context, account, from)
  await limits.of(loginLimits).ofAccount.giveBack(db, window)
  if (user.awaitsApproval) throw new AppError(accountErrors.awaitsApproval)
  if (user.suspendedAt && !user.deletesAt && !isSuspendedToo) throw await suspended(db, user.id)
  return user
}

/** The refusal of a suspended account. The error of the field `suspension` has the reason, while it may be answered. */
async function suspended(db: Db, userId: string): Promise<AppError> {
  const note = await findSuspensionReason(db, userId)
  const errors =
    note === undefined ? [] : [fieldError('suspension', accountErrors.suspensionReason, { note })]
  return new AppError(accountErrors.suspended, { errors })
}

/** Counts one login. Returns the refusal if a limit is exceeded. */
async function takeLogin(
  { db, limits }: Pick<WebContext, 'db' | 'limits'>,
  account: string,
  { address, network }: { address: string; network: string },
): Promise<AppError | undefined> {
  try {
    await limits.of(loginLimits).ofAccountAndNetwork.assertAllowed(db, `${network} ${account}`)
    await limits.of(loginLimits).ofAddress.assertAllowed(db, address)
    if (network !== address) await limits.of(loginLimits).ofNetwork.assertAllowed(db, network)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function giveBackLogin(
  { db, limits }: Pick<WebContext, 'db' | 'limits'>,
  account: string,
  { address, network }: { address: string; network: string },
): Promise<void> {
  await limits.of(loginLimits).ofAccountAndNetwork.reset(db, `${network} ${account}`)
  await limits.of(loginLimits).ofAddress.giveBack(db, address)
  if (network !== address) await limits.of(loginLimits).ofNetwork.giveBack(db, network)
}
