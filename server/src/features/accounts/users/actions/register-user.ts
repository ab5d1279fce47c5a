import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import type { RegistrationPolicy } from '@kinora/contract/constants.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { isUsableInvitation, takeInvitation } from '../../invitations/queries.ts'
import { discardPicture, storePicture } from '../../../pictures/actions.ts'
import { notifyModerators } from '../../../messages/notifications/queries/decisions.ts'
import { insertUserEvent } from '../../../messages/webhooks/queries.ts'
import { findTaken, insertUser, type NewUser, taken } from '../queries.ts'
import { checkNewPassword } from '../rules.ts'
import { assertStrongPassword } from './change-password.ts'
import { hashPassword } from './hash-password.ts'

export interface Registration {
  fullname: string
  email: string
  username: string
  password: string
  /** False if nobody knows the password. */
  hasPassword?: boolean
  /** Id of an invitation, empty for none; undefined for accounts that operators create, whatever the policy. */
  invitation?: string | undefined
  /** Files with the pictures. */
  avatar: string
  coverImage: string | undefined
}

/**
 * Creates an account and returns its id. Throws `forbidden` where the site lets nobody register, or only with a usable
 * invitation; `invalid` for a file that is no picture, `conflict` for a taken name.
 */
export async function registerUser(
  context: Pick<Context, 'db' | 'clock' | 'siteSettings'> & Parameters<typeof storePicture>[0],
  { fullname, email, username, password, hasPassword = true, invitation, ...files }: Registration,
  {
    also,
    insert = insertUser,
    isEmailSecret = false,
  }: {
    /** Writes more rows of the new account, in the transaction that inserts it. */
    also?: (transaction: Db, userId: string) => Promise<void>
    insert?: (transaction: Db, account: NewUser) => Promise<void>
    /** Accepts the email of another account. */
    isEmailSecret?: boolean
  } = {},
): Promise<string> {
  const { db, clock, config } = context
  // read again: what was just closed lets nobody in
  const policy = invitation === undefined ? 'open' : (await context.siteSettings.load()).registration
  await assertMayRegister(context, policy, invitation ?? '')
  checkNewPassword('password', password, config.passwordMinLength)
  await assertStrongPassword(context, 'password', password, [username, email.split('@')[0] ?? ''])
  const isTaken = await findTaken(db, { username, email })
  if (isTaken.username) throw taken('username')
  if (isTaken.email && !isEmailSecret) throw taken('email')

  const stored: string[] = []
  try {
    const avatar = await storePicture(context, files.avatar, 'avatar', accountErrors.profilePictureFormat)
    stored.push(avatar)
    const coverImage = files.coverImage
      ? await storePicture(context, files.coverImage, 'cover', accountErrors.coverPictureFormat)
      : null
    if (coverImage) stored.push(coverImage)
    const id = newId()
    const passwordHash = await hashPassword(config, password)
    const awaitsApproval = policy === 'approval'
    await db.transaction().execute(async (transaction) => {
      const isInvited = policy === 'invitation'
      if (isInvited && !(await takeInvitation(transaction, invitation ?? '', clock.now())))
        throw wrongInvitation()
      await insert(transaction, {
        id,
        fullname,
        email,
        username,
        passwordHash,
        hasPassword,
        avatar,
        coverImage,
        createdAt: clock.now(),
        awaitsApproval,
        suspendedAt: awaitsApproval ? clock.now() : null,
        invitationId: isInvited ? (invitation ?? null) : null,
      })
      // a registration that is not confirmed yet is no account
      if (awaitsApproval && insert === insertUser) await notifyModerators(transaction, id)
      await insertUserEvent(transaction, id)
      await also?.(transaction, id)
    })
    return id
  } catch (error) {
    await Promise.all(stored.map((picture) => discardPicture(context, picture)))
    throw error
  }
}

/** Throws `forbidden` where the policy of the site lets nobody register, or not with this invitation. */
async function assertMayRegister(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  policy: RegistrationPolicy,
  invitation: string,
): Promise<void> {
  if (policy === 'closed') throw new AppError(accountErrors.registrationClosed)
  if (policy === 'invitation' && !(await isUsableInvitation(db, invitation, clock.now())))
    throw wrongInvitation()
}

const wrongInvitation = () => new AppError(accountErrors.invitationRequired)
