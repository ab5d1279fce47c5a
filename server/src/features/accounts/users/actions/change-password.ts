import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import type { Context, WebContext } from '../../../../context/context.ts'
import type { WithinTransaction } from '../../../../context/database.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { deleteCodesOf } from '../../../messages/mail/queries.ts'
import { endOtherSessions, endSessions, forgetAddresses } from '../../sessions/actions.ts'
import { pauseWebhooksOf } from '../../../messages/webhooks/queries.ts'
import { getPassword, getUsername, replacePasswordHash, updatePasswordHash } from '../queries.ts'
import { checkNewPassword, checkPasswordChange, checkWeakness } from '../rules.ts'
import { hashPassword, verifyPassword } from './hash-password.ts'
import { loginLimits } from '../limits.ts'

/** For how long a sign-in stands in for the password of an account that has none. */
const recentSignInMs = 10 * 60_000

/**
 * Returns the hash of the account's password. Throws `invalid`, about the field `path`, for a wrong one. Where the account has
 * none, a recent sign-in stands in for it: `forbidden` without one.
 */
export async function assertPassword(
  { db, clock, limits, log }: Pick<WebContext, 'db' | 'clock' | 'limits' | 'log'>,
  user: Viewer,
  { path, password }: { path: string; password: string },
): Promise<string> {
  const { passwordHash, hasPassword } = await getPassword(db, user.id)
  if (!hasPassword) {
    assertSignedInRecently(user, clock.now())
    return passwordHash
  }
  // a borrowed session must not allow faster guessing than the login form
  await limits.of(loginLimits).ofAccountAndNetwork.assertAllowed(db, user.id)
  if (!(await verifyPassword(passwordHash, password))) {
    log.info({ userId: user.id }, 'password check failed')
    throw wrongPassword(path)
  }
  await limits.of(loginLimits).ofAccountAndNetwork.reset(db, user.id)
  return passwordHash
}

function assertSignedInRecently({ signedInAt }: Viewer, now: Date): void {
  if (signedInAt && now.getTime() - signedInAt.getTime() < recentSignInMs) return
  throw new AppError(accountErrors.noPassword)
}

const wrongPassword = (path: string) => new AppError(accountErrors.wrongPassword, { path })

/** Changes the password, and ends every session except the one of `keptToken` and the links of mails. */
export async function changeOwnPassword(
  context: Pick<WebContext, 'db' | 'clock' | 'config' | 'limits' | 'log' | 'siteSettings'>,
  user: Viewer,
  passwords: { oldPassword: string; newPassword: string },
  keptToken: string,
): Promise<void> {
  const { db, config, log } = context
  checkPasswordChange(user.username, passwords, config)
  await assertStrongPassword(context, 'newPassword', passwords.newPassword, [user.username])
  const oldHash = await assertPassword(context, user, {
    path: 'oldPassword',
    password: passwords.oldPassword,
  })
  const newHash = await hashPassword(config, passwords.newPassword)
  await db.transaction().execute(async (transaction) => {
    // of concurrent changes the first one wins: for the others the old password is wrong by now
    if (!(await replacePasswordHash(transaction, user.id, oldHash, newHash)))
      throw wrongPassword('oldPassword')
    await endOtherSessions(transaction, user.id, keptToken)
    await deleteCodesOf(transaction, user.id)
  })
  log.info({ userId: user.id }, 'password changed')
}

/**
 * Sets a new password without the old one, for operators and by mail. Ends every session and the links of mails, and pauses
 * the webhooks: an intruder may have added one, and the holder resumes the others.
 */
export async function resetPassword(
  context: Pick<Context, 'db' | 'config' | 'siteSettings' | 'clock'>,
  userId: string,
  newPassword: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  const { db, config } = context
  checkNewPassword('newPassword', newPassword, config.passwordMinLength)
  await assertStrongPassword(context, 'newPassword', newPassword, [await getUsername(db, userId)])
  const passwordHash = await hashPassword(config, newPassword)
  await db.transaction().execute(async (transaction) => {
    await updatePasswordHash(transaction, userId, passwordHash)
    await endSessions(transaction, userId)
    await forgetAddresses(transaction, userId)
    await pauseWebhooksOf(transaction, userId, context.clock.now())
    await withinTransaction?.(transaction)
    await deleteCodesOf(transaction, userId)
  })
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Throws `invalid`, where the site refuses them, for a password that is easy to guess; `words` are those of the account. */
export async function assertStrongPassword(
  { siteSettings }: Pick<Context, 'siteSettings'>,
  path: string,
  password: string,
  words: readonly string[],
): Promise<void> {
  const { refuseWeakPasswords, siteName } = await siteSettings.load()
  if (!refuseWeakPasswords) return
  // megabytes of memory, which only sites that refuse need
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  checkWeakness(path, password, { words: [...words, siteName], common: await commonPasswords })
}
