import { type Failure } from '@kinora/contract/failure.ts'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import type { WithinTransaction } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { isKnownAddress } from '../sessions/actions.ts'
import { assertPassword } from '../users/actions/change-password.ts'
import {
  confirmSecret,
  countRecoveryCodes,
  deleteRecoveryCode,
  deleteSecret,
  findSecret,
  putSecret,
  replaceRecoveryCodes,
  takeStep,
} from './queries.ts'
import { isAppCode, newRecoveryCodes, newSecret, normalRecoveryCode, stepOf, uriOf } from './rules.ts'
import { secondFactorLimits } from './limits.ts'

type CodeContext = Pick<WebContext, 'db' | 'clock' | 'secret' | 'limits' | 'log' | 'siteSettings'>

/** Where a sign-in comes from. */
interface Client {
  address: string
  network: string
}

/** Whether an account signs in with a second factor, and how many recovery codes are left. */
export async function getState(db: Context['db'], userId: string) {
  const found = await findSecret(db, userId)
  return {
    isOn: found?.isConfirmed === true,
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
  }
}

/** Creates a secret, which counts once it is confirmed. Throws `conflict` where one is confirmed. */
export async function begin(
  context: Pick<WebContext, 'db' | 'clock' | 'config' | 'limits' | 'log' | 'siteSettings'>,
  user: Viewer,
  password: string,
): Promise<{ secret: string; uri: string }> {
  if (isTestAccount(user.username, context.config))
    throw new AppError(accountErrors.sharedAccountSecondFactor)
  await assertPassword(context, user, { path: 'password', password })
  const secret = newSecret()
  if (!(await putSecret(context.db, user.id, secret))) throw new AppError(accountErrors.secondFactorOn)
  const { siteName } = await context.siteSettings.load()
  return { secret, uri: uriOf(secret, { issuer: siteName, label: user.username }) }
}

/** Turns the second factor on by a first code of the app. Returns the recovery codes. */
export async function confirm(
  { db, clock, secret: siteSecret, limits, log }: CodeContext,
  userId: string,
  code: string,
): Promise<string[]> {
  await limits.of(secondFactorLimits).ofNetwork.assertAllowed(db, userId)
  const found = await findSecret(db, userId)
  if (!found || found.isConfirmed) throw nothingToConfirm()
  const { secret } = found
  const step = stepOf(secret, code, clock.now())
  if (step === undefined) throw wrongCode(accountErrors.wrongCode)
  const codes = newRecoveryCodes()
  const hashes = await Promise.all(codes.map((each) => hashOf({ secret: siteSecret }, userId, each)))
  await db.transaction().execute(async (transaction) => {
    // of concurrent requests, one gets codes
    if (!(await confirmSecret(transaction, { userId, secret, step }))) throw nothingToConfirm()
    await replaceRecoveryCodes(transaction, userId, hashes)
  })
  await limits.of(secondFactorLimits).ofNetwork.reset(db, userId)
  log.info({ userId }, 'second factor turned on')
  return codes
}

/** Turns the second factor off, for its owner with the password. */
export async function removeOwn(
  context: Pick<WebContext, 'db' | 'clock' | 'limits' | 'log'>,
  user: Viewer,
  password: string,
): Promise<void> {
  await assertPassword(context, user, { path: 'password', password })
  await remove(context, user.id)
}

/** Turns the second factor off, for operators. */
export async function remove(
  { db, log }: Pick<Context, 'db' | 'log'>,
  userId: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await deleteSecret(transaction, userId)
    await replaceRecoveryCodes(transaction, userId, [])
    await withinTransaction?.(transaction)
  })
  log.info({ userId }, 'second factor turned off')
}

/**
 * Whether a code is right for an account with a second factor, and uses it up. Throws `too_many_requests` after too many
 * failures of a network, and for codes of the app also of all networks together: they are short enough to be guessed from
 * many. Failures elsewhere keep nobody out who has a recovery code, or an address that the account has logged in from.
 */
export async function passesSecondFactor(
  context: CodeContext,
  userId: string,
  { code, from: { address, network } }: { code: string; from: Client },
): Promise<boolean> {
  const { db, limits, log } = context
  const found = await findSecret(db, userId)
  if (!found?.isConfirmed) return false
  await limits.of(secondFactorLimits).ofNetwork.assertAllowed(db, `${userId} ${network}`)
  const isRight = isAppCode(code)
    ? await usesUpAppCode(context, userId, { code, address, appSecret: found.secret })
    : await deleteRecoveryCode(db, userId, await hashOf(context, userId, code))
  if (isRight) await limits.of(secondFactorLimits).ofNetwork.reset(db, `${userId} ${network}`)
  else log.info({ userId, network }, 'second factor failed')
  return isRight
}

/** Whether a code of the app is right and was not used. Throws `too_many_requests` after too many wrong ones. */
async function usesUpAppCode(
  context: CodeContext,
  userId: string,
  { code, address, appSecret }: { code: string; address: string; appSecret: string },
): Promise<boolean> {
  const { db, clock, limits } = context
  const window = (await isKnownAddress(context, userId, address)) ? `${userId} ${address}` : userId
  // counted before the code is checked, and given back if it is right: concurrent guesses count as well
  const { excess, retryAfterSeconds } = await limits.of(secondFactorLimits).ofAccount.take(db, window)
  if (excess > 0) throw new AppError(accountErrors.tooManyWrongCodes, { retryAfterSeconds })
  const step = stepOf(appSecret, code, clock.now())
  const isRight = step !== undefined && (await takeStep(db, userId, step))
  if (isRight) await limits.of(secondFactorLimits).ofAccount.giveBack(db, window)
  return isRight
}

/** Throws `second_factor_required` for an account with a second factor without a right code. */
export async function assertSecondFactor(
  context: CodeContext,
  userId: string,
  { code, from }: { code: string | undefined; from: Client },
): Promise<void> {
  const found = await findSecret(context.db, userId)
  if (!found?.isConfirmed) return
  if (!code) throw new AppError(accountErrors.secondFactorRequired)
  if (!(await passesSecondFactor(context, userId, { code, from })))
    throw wrongCode(accountErrors.wrongSecondFactor)
}

const hashOf = ({ secret }: Pick<Context, 'secret'>, userId: string, code: string) =>
  secret.hash(`recovery ${userId} ${normalRecoveryCode(code)}`)

const nothingToConfirm = () => new AppError(accountErrors.nothingToConfirm)

const wrongCode = (failure: Failure) => new AppError(failure, { path: 'code' })
