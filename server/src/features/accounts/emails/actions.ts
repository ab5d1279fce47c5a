import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import type { WebContext } from '../../../context/context.ts'
import { allowLongStatements } from '@kinora/platform/db/pool.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { newId } from '@kinora/platform/ids.ts'
import {
  assertMailConfigured,
  getCode,
  sendMail,
  usedLink,
  useCode,
} from '../../messages/mail/actions/send-mail.ts'
import { deleteAllCodesOf, deleteCodesOf, deleteRejections } from '../../messages/mail/queries.ts'
import { endSessions, forgetAddresses } from '../sessions/actions.ts'
import { findTaken, getEmail, lockUsers, taken, updateUserDetails } from '../users/queries.ts'
import { confirmChange, deleteChanges, getState, putChange, putConfirmed } from './queries.ts'
import { emailChangeLimit } from './limits.ts'

type ChangeContext = Pick<WebContext, 'db' | 'clock' | 'limits' | 'mailer' | 'jobs' | 'config' | 'log'>

/**
 * Changes name and email; undefined fields stay. Where the site sends mail, the account keeps its address until the new one
 * is confirmed, and the present one gets a link that stops the change. Each attempt at another email is rate limited,
 * because the response reveals whether an account has it. Throws `conflict` if the email is taken, `too_many_requests`
 * after too many attempts.
 */
export async function changeDetails(
  context: ChangeContext,
  user: Viewer,
  { fullname, email }: { fullname?: string | undefined; email?: string | undefined },
): Promise<void> {
  const { db, clock, limits, mailer, config } = context
  const isNew = email !== undefined && email !== (await getEmail(db, user.id))
  if (isNew) await limits.of(emailChangeLimit).assertAllowed(db, user.id)
  // everybody uses the test account, so it sends no mails to addresses that somebody types
  const isPending = isNew && mailer !== undefined && !isTestAccount(user.username, config)
  if (isPending) await assertFree(context, user.id, email)
  const changeId = newId()
  await db.transaction().execute(async (transaction) => {
    // the name is indexed for search in every video of its owner
    await allowLongStatements(transaction)
    const details = isPending ? { fullname } : { fullname, email }
    if (Object.values(details).some((value) => value !== undefined))
      await updateUserDetails(transaction, user.id, details)
    if (isPending) {
      await putChange(transaction, { id: changeId, userId: user.id, email, now: clock.now() })
      await sendMail(context, transaction, { kind: 'confirm_email', userId: user.id, changeId })
      await sendMail(context, transaction, { kind: 'email_change', userId: user.id, changeId })
    } else if (email !== undefined) await deleteChanges(transaction, user.id, { isPending: true })
    // readers of the previous address must not get in
    if (isNew && !isPending) await deleteCodesOf(transaction, user.id)
  })
}

/** Throws `conflict` if another account has an address. */
async function assertFree({ db }: Pick<WebContext, 'db'>, userId: string, email: string): Promise<void> {
  const isOwn = (await getEmail(db, userId)).toLowerCase() === email.toLowerCase()
  if (!isOwn && (await findTaken(db, { username: '', email, userId })).email) throw taken('email')
}

/**
 * Mails a link to the address that an account changes to, or else to its own. The previous address gets its link again,
 * so that it can undo the change for a week, however late the change is confirmed.
 */
export async function requestConfirmation(context: ChangeContext, user: Viewer): Promise<void> {
  assertMailConfigured(context)
  const { db, limits, config } = context
  if (isTestAccount(user.username, config)) throw new AppError(accountErrors.sharedAccountEmail)
  const { newEmail } = await getState(db, user.id)
  if (newEmail !== null) return changeDetails(context, user, { email: newEmail })
  await limits.of(emailChangeLimit).assertAllowed(db, user.id)
  await sendMail(context, db, { kind: 'confirm_email', userId: user.id })
}

/**
 * Confirms the address that a mail went to. If the account changes to it, it has it from now on, and links in mails to the
 * previous address stop working, but for the one that undoes the change. Throws `invalid` for a code that was used, has
 * expired or is of an address that the account gave up; `conflict` if another account has the address by now.
 */
export async function confirmByCode(
  context: Pick<WebContext, 'db' | 'clock' | 'mailer' | 'log'>,
  code: string,
): Promise<void> {
  assertMailConfigured(context)
  const { db, clock, log } = context
  const { userId, email } = await getCode(context, code, 'confirm_email')
  const confirmed = { userId, email, now: clock.now() }
  await db.transaction().execute(async (transaction) => {
    // first, as a new password does, so that two transactions do not wait for each other
    await lockUsers(transaction, [userId])
    await useCode(transaction, code)
    if (await confirmChange(transaction, confirmed)) {
      await updateUserDetails(transaction, userId, { email })
      await deleteCodesOf(transaction, userId)
    }
    if (!(await putConfirmed(transaction, confirmed))) throw usedLink()
    await deleteRejections(transaction, confirmed)
  })
  log.info({ userId }, 'email address confirmed')
}

/**
 * Stops or undoes a change by the code in the mail to the previous address. Sessions and links in other mails end: the
 * change may be of somebody else who got in. Throws `conflict` if another account has the address by now.
 */
export async function keepByCode(
  context: Pick<WebContext, 'db' | 'clock' | 'mailer' | 'log'>,
  code: string,
): Promise<void> {
  assertMailConfigured(context)
  const { db, clock, log } = context
  const { userId, email } = await getCode(context, code, 'email_change')
  await db.transaction().execute(async (transaction) => {
    await lockUsers(transaction, [userId])
    await useCode(transaction, code)
    await deleteAllCodesOf(transaction, userId)
    await deleteChanges(transaction, userId, { isPending: false })
    await updateUserDetails(transaction, userId, { email })
    await putConfirmed(transaction, { userId, email, now: clock.now() })
    await endSessions(transaction, userId)
    await forgetAddresses(transaction, userId)
  })
  log.info({ userId }, 'change of email address stopped')
}
