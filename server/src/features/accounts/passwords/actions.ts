import { isTestAccount } from '@kinora/contract/constants.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import { hashOfToken, newToken } from '@kinora/platform/secret-token.ts'
import { assertMailConfigured, getCode, sendMail, useCode } from '../../messages/mail/actions/send-mail.ts'
import { insertCode } from '../../messages/mail/queries.ts'
import { linkMinutes } from '../../messages/mail/rules/mail-kinds.ts'
import { resetPassword } from '../users/actions/change-password.ts'
import { findAccount } from './queries.ts'
import { passwordResetLimits } from './limits.ts'

type ResetContext = Pick<WebContext, 'db' | 'jobs' | 'limits' | 'mailer' | 'config' | 'log'>

/**
 * Mails a link for a new password to the account of an address. Does the same, and takes as long, where there is no such
 * account or it gets no more mails for now. Throws `not_found` where no mail is configured, `too_many_requests` after too
 * many requests from an address.
 */
export async function requestReset(
  context: ResetContext,
  { email, from }: { email: string; from: string },
): Promise<void> {
  assertMailConfigured(context)
  const { db, limits, config, log } = context
  await limits.of(passwordResetLimits).ofAddress.assertAllowed(db, from)
  const { excess } = await limits.of(passwordResetLimits).ofAccount.take(db, email.toLowerCase())
  const account = await findAccount(db, email)
  const isServed = account !== undefined && excess === 0 && !isTestAccount(account.username, config)
  const userId = isServed ? account.id : null
  await sendMail(context, db, { kind: 'password_reset', userId })
  log.info({ userId, address: from }, 'password reset requested')
}

/** Creates the code of a link for a new password, which an administrator hands over. Mails have codes of their own. */
export async function createResetCode(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id: userId, email }: { id: string; email: string },
): Promise<{ code: string; expiresAt: Date }> {
  const code = newToken()
  const expiresAt = new Date(clock.now().getTime() + linkMinutes.password_reset * 60_000)
  await insertCode(db, { codeHash: hashOfToken(code), userId, email, purpose: 'password_reset', expiresAt })
  return { code, expiresAt }
}

/**
 * Sets a new password by the code of a link, and ends every session. Throws `invalid` for a password that is too short,
 * and for a code that was used or has expired.
 */
export async function resetByCode(
  context: Pick<WebContext, 'db' | 'config' | 'clock' | 'log' | 'siteSettings'>,
  { code, newPassword }: { code: string; newPassword: string },
): Promise<void> {
  const { userId } = await getCode(context, code, 'password_reset')
  await resetPassword(context, userId, newPassword, (transaction) => useCode(transaction, code))
  context.log.info({ userId }, 'password reset')
}
