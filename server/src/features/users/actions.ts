import { setTimeout as sleep } from 'node:timers/promises'
import type { RegistrationPolicy } from '@kinora/contract/constants.ts'
import * as argon2 from '@node-rs/argon2'
import pLimit from 'p-limit'
import type { Context, WebContext } from '../../context.ts'
import type { AlsoWrite, Db } from '../../database.ts'
import type { Viewer } from '../../platform/http/routing/route.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { isUsableInvitation, takeInvitation } from '../invitations/queries.ts'
import { deleteCodesOf } from '../mail/queries.ts'
import { discardPicture, retirePicture, storePicture } from '../pictures/actions.ts'
import { endOtherSessions, endSessions, forgetAddresses, isKnownAddress } from '../sessions/actions.ts'
import { insertOfUser, pauseWebhooksOf } from '../webhooks/queries.ts'
import {
  findCredentials,
  findSuspensionReason,
  findTaken,
  getPassword,
  getUsername,
  insertUser,
  type NewUser,
  replacePasswordHash,
  taken,
  updatePasswordHash,
  updatePicture,
  updateSuspension,
} from './queries.ts'
import {
  checkNewPassword,
  checkPasswordChange,
  checkWeakness,
  noPictureMessage,
  wrongPictureMessage,
} from './rules.ts'

/** Passwords hashed at a time: two of libuv's four threads stay free for reading files. */
const limitHashing = pLimit(2)
const hash = (password: string) => limitHashing(() => argon2.hash(password, parameters))
const verifyPassword = (passwordHash: string, password: string) =>
  limitHashing(() => argon2.verify(passwordHash, password))

/** As `verifyPassword`; without a hash it takes as long, and is false. */
export async function verifyAnyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  const isRight = await verifyPassword(passwordHash ?? nobodysHash, password)
  return isRight && passwordHash !== undefined
}

/** argon2id with 19 MiB and two passes, the library's default. Explicit, because the dummy hash needs the same cost. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$ci4obYKsGFU4oiOqA52IOw$FLN08gVKOU3Bu5e/7m+XgY9vimeoja6lRzBNWeWCag0'

/**
 * Delay per failed login beyond the hourly limit of an account, and its maximum: browsers and proxies wait no longer.
 */
const delayStepMs = 100
const maxDelayMs = 30_000

/** For how long a sign-in stands in for the password of an account that has none. */
const recentSignInMs = 10 * 60_000

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
  const { excess } = await limits.loginsOfAccount.take(db, window)
  if (excess > 0) {
    await using _slot = await limits.delayedLogins.take(`${account} ${network}`)
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
  await limits.loginsOfAccount.giveBack(db, window)
  if (user.awaitsApproval)
    throw new AppError('forbidden', 'This account waits for the approval of a moderator')
  if (user.suspendedAt && !user.deletesAt && !isSuspendedToo) throw await suspended(db, user.id)
  return user
}

/** The refusal of a suspended account. The error of the field `suspension` has the reason, while it may be answered. */
async function suspended(db: Db, userId: string): Promise<AppError> {
  const message = await findSuspensionReason(db, userId)
  const errors = message === undefined ? [] : [{ path: 'suspension', message }]
  return new AppError('forbidden', 'This account is suspended', { errors })
}

/** Counts one login. Returns the refusal if a limit is exceeded. */
async function takeLogin(
  { db, limits }: Pick<WebContext, 'db' | 'limits'>,
  account: string,
  { address, network }: { address: string; network: string },
): Promise<AppError | undefined> {
  try {
    await limits.logins.assertAllowed(db, `${network} ${account}`)
    await limits.loginsOfAddress.assertAllowed(db, address)
    if (network !== address) await limits.loginsOfNetwork.assertAllowed(db, network)
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
  await limits.logins.reset(db, `${network} ${account}`)
  await limits.loginsOfAddress.giveBack(db, address)
  if (network !== address) await limits.loginsOfNetwork.giveBack(db, network)
}

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
    const avatar = await storePicture(context, files.avatar, 'avatar', wrongPictureMessage('profile'))
    stored.push(avatar)
    const coverImage = files.coverImage
      ? await storePicture(context, files.coverImage, 'cover', wrongPictureMessage('cover'))
      : null
    if (coverImage) stored.push(coverImage)
    const id = newId()
    const passwordHash = await hash(password)
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
      await insertOfUser(transaction, id)
      await also?.(transaction, id)
    })
    return id
  } catch (error) {
    await Promise.all(stored.map((picture) => discardPicture(context, picture)))
    throw error
  }
}

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
  await limits.logins.assertAllowed(db, user.id)
  if (!(await verifyPassword(passwordHash, password))) {
    log.info({ userId: user.id }, 'password check failed')
    throw wrongPassword(path)
  }
  await limits.logins.reset(db, user.id)
  return passwordHash
}

function assertSignedInRecently({ signedInAt }: Viewer, now: Date): void {
  if (signedInAt && now.getTime() - signedInAt.getTime() < recentSignInMs) return
  throw new AppError('forbidden', 'Your account has no password. Sign in again, then repeat this.')
}

function wrongPassword(path: string): AppError {
  const message = 'The current password is wrong'
  return new AppError('invalid', message, { errors: [{ path, message }] })
}

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
  const newHash = await hash(passwords.newPassword)
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
  also?: AlsoWrite,
): Promise<void> {
  const { db, config } = context
  checkNewPassword('newPassword', newPassword, config.passwordMinLength)
  await assertStrongPassword(context, 'newPassword', newPassword, [await getUsername(db, userId)])
  const passwordHash = await hash(newPassword)
  await db.transaction().execute(async (transaction) => {
    await updatePasswordHash(transaction, userId, passwordHash)
    await endSessions(transaction, userId)
    await forgetAddresses(transaction, userId)
    await pauseWebhooksOf(transaction, userId, context.clock.now())
    await also?.(transaction)
    await deleteCodesOf(transaction, userId)
  })
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Throws `invalid`, where the site refuses them, for a password that is easy to guess; `words` are those of the account. */
async function assertStrongPassword(
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

/** Throws `forbidden` where the policy of the site lets nobody register, or not with this invitation. */
async function assertMayRegister(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  policy: RegistrationPolicy,
  invitation: string,
): Promise<void> {
  if (policy === 'closed') throw new AppError('forbidden', 'This site accepts no new accounts')
  if (policy === 'invitation' && !(await isUsableInvitation(db, invitation, clock.now())))
    throw wrongInvitation()
}

const wrongInvitation = () =>
  new AppError('forbidden', 'This site needs an invitation that was not used up and has not expired')

/** Suspends an account: its sessions end, and it cannot log in until `reinstateUser`. */
export async function suspendUser(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  also?: AlsoWrite,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await updateSuspension(transaction, userId, clock.now())
    await endSessions(transaction, userId)
    await also?.(transaction)
  })
}

export async function reinstateUser(
  { db }: Pick<Context, 'db'>,
  userId: string,
  also?: AlsoWrite,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await updateSuspension(transaction, userId, null)
    await also?.(transaction)
  })
}

/** Replaces a picture; the old files are deleted later. */
export async function replacePicture(
  context: Pick<Context, 'db' | 'jobs'> & Parameters<typeof storePicture>[0],
  userId: string,
  column: 'avatar' | 'coverImage',
  file: string,
): Promise<void> {
  const kind = column === 'avatar' ? 'avatar' : 'cover'
  const picture = await storePicture(context, file, kind, noPictureMessage)
  try {
    await context.db.transaction().execute(async (transaction) => {
      const old = await updatePicture(transaction, userId, column, picture)
      if (old) await retirePicture(context, transaction, old)
    })
  } catch (error) {
    await discardPicture(context, picture)
    throw error
  }
}

/** Removes the cover picture; its files are deleted later. */
export async function removeCoverPicture(
  context: Pick<Context, 'db' | 'jobs'>,
  userId: string,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const old = await updatePicture(transaction, userId, 'coverImage', null)
    if (old) await retirePicture(context, transaction, old)
  })
}
