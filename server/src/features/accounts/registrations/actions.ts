import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { parseJson } from '@kinora/contract/parse-json.ts'
import { randomInt } from 'node:crypto'
import { proofOfWorkMaxCounter } from '@kinora/contract/accounts/proof-of-work.ts'
import { ProofOfWork, type RegistrationChallenge } from '@kinora/contract/accounts/registrations.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import pLimit from 'p-limit'
import type { Context, WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { putConfirmed } from '../emails/queries.ts'
import {
  assertMailConfigured,
  getCode,
  sendMail,
  usedLink,
  useCode,
} from '../../messages/mail/actions/send-mail.ts'
import { type Registration as Form, registerUser } from '../users/actions/register-user.ts'
import { verifyAnyPassword } from '../users/actions/hash-password.ts'
import { findTaken, getUser, insertUser, type NewUser, taken } from '../users/queries.ts'
import { notifyModerators } from '../../messages/notifications/queries/decisions.ts'
import { insertUserEvent } from '../../messages/webhooks/queries.ts'
import {
  findRegistration,
  findPasswordHash,
  findUserId,
  insertRegistration,
  takeRegistration,
} from './queries.ts'
import { registrationChallengeSeconds, registrationLimits } from './limits.ts'

type RegisterContext = Pick<WebContext, 'jobs' | 'mailer' | 'limits' | 'log' | 'secret'> &
  Parameters<typeof registerUser>[0]

/**
 * Iterations for each counter that a solver tries. 200 on average need a million iterations of SHA-256: 0.2 s on a
 * processor of 2024, about 1 s on a phone of 2016 without instructions for SHA-256. Fewer and longer tries would cost
 * the server more per challenge, more and shorter ones mostly the calls of the browser's function.
 */
const challengeCost = 5000

/** Challenges created at a time: the other threads of libuv stay free. */
const limitDeriving = pLimit(1)

/** Keys that sign challenges and their solutions. */
const challengeSecrets = async ({ secret }: Pick<WebContext, 'secret'>) => ({
  hmacSignatureSecret: (await secret.hash('registration challenges')).toString('hex'),
  hmacKeySignatureSecret: (await secret.hash('solutions of registration challenges')).toString('hex'),
})

/**
 * Creates a challenge for one registration. The signature is all that the site keeps of it. Throws `not_found` where
 * registrations need none, `too_many_requests` after too many from an address.
 */
export async function createRegistrationChallenge(
  context: Pick<WebContext, 'clock' | 'limits' | 'secret' | 'siteSettings'>,
  from: string,
): Promise<RegistrationChallenge> {
  if (!(await context.siteSettings.load()).registrationProofOfWork)
    throw new AppError(accountErrors.noChallengeNeeded)
  context.limits.of(registrationLimits).challenges.assertAllowed(from)
  const secrets = await challengeSecrets(context)
  const challenge = await limitDeriving(() =>
    createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: challengeCost,
      counter: randomInt(proofOfWorkMaxCounter) + 1,
      deriveKey,
      expiresAt: new Date(context.clock.now().getTime() + registrationChallengeSeconds * 1000),
      ...secrets,
    }),
  )
  // its types leave out that a signed challenge has both signatures
  return challenge as RegistrationChallenge
}

/**
 * Uses up a solved challenge, JSON of `ProofOfWork`. Throws `proof_of_work_required` for one that is missing, wrong, expired
 * or used, even by a concurrent registration.
 */
async function useProofOfWork(
  context: Pick<WebContext, 'db' | 'limits' | 'secret'>,
  text: string,
): Promise<void> {
  const proof = ProofOfWork.safeParse(parseJson(text)).data
  const isSolved =
    proof && (await verifySolution({ ...proof, deriveKey, ...(await challengeSecrets(context)) })).verified
  if (isSolved) {
    const { nonce } = proof.challenge.parameters
    const { excess } = await context.limits.of(registrationLimits).ofChallenge.take(context.db, nonce)
    if (excess === 0) return
  }
  throw new AppError(accountErrors.proofOfWorkRequired)
}

/** Whether new accounts have to confirm their address: only where the site sends mail. */
const confirmsEmails = async ({ mailer, siteSettings }: Pick<Context, 'mailer' | 'siteSettings'>) =>
  mailer !== undefined && (await siteSettings.load()).confirmEmails

/**
 * Registers an account, and returns it as its owner sees it. Where the site confirms addresses, the account exists only once
 * the link of a mail is opened. Nothing then tells whether another account has the address: that account gets a mail.
 * Throws `proof_of_work_required` where the site asks for a solved challenge, and as `registerUser` does.
 */
export async function register(
  context: RegisterContext,
  { proofOfWork, ...form }: Form & { proofOfWork: string },
): Promise<User> {
  const { db } = context
  if ((await context.siteSettings.load()).registrationProofOfWork) await useProofOfWork(context, proofOfWork)
  if (!(await confirmsEmails(context))) return getUser(db, await registerUser(context, form))
  let held: NewUser | undefined
  await registerUser(context, form, {
    isEmailSecret: true,
    insert: async (transaction, account) => {
      const { hasPassword: _hasPassword, suspendedAt: _suspendedAt, ...registration } = account
      await insertRegistration(transaction, registration)
      held = account
    },
  })
  if (!held) throw new Error('A registration is inserted or throws')
  await mailLink(context, form.email, held.id)
  return shown(held)
}

/** A future account, as `getUser` shows it later. */
function shown({ id, username, fullname, email, avatar, coverImage }: NewUser): User {
  return {
    _id: id,
    username,
    fullname,
    email,
    role: 'member',
    avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
    coverImage: coverImage && pictureUrl(coverImage, pictureDefaultWidth.cover),
    subscribersCount: 0,
    subscribedToCount: 0,
    isSubscribed: false,
    watchHistory: [],
  }
}

/**
 * Mails the link of a registration, or to an account that has the address a note without one. Further mails to an address
 * are left out silently.
 */
async function mailLink(
  context: Pick<WebContext, 'db' | 'jobs' | 'mailer' | 'limits' | 'log'>,
  email: string,
  registrationId: string | undefined,
): Promise<void> {
  const { db, limits, log } = context
  const { excess } = await limits.of(registrationLimits).mails.take(db, email.toLowerCase())
  const userId = await findUserId(db, email)
  const isTaken = (await findTaken(db, { username: '', email })).email
  const recipient =
    excess > 0 || registrationId === undefined ? null : isTaken ? (userId ?? null) : registrationId
  // a null recipient takes as long, so that nobody learns whether there is one
  await sendMail(context, db, { kind: isTaken ? 'known_email' : 'confirm_registration', userId: recipient })
  log.info({ registrationId }, 'mail for a registration requested')
}

/**
 * Mails the link of a registration again: that of its username, because somebody else may have registered with the same
 * address and a password of their own. Does the same for addresses without one. Throws `not_found` where registrations
 * need no link, `too_many_requests` after too many requests from an address.
 */
export async function requestMail(
  context: Pick<WebContext, 'db' | 'jobs' | 'mailer' | 'limits' | 'log' | 'siteSettings'>,
  { email, username, from }: { email: string; username: string; from: string },
): Promise<void> {
  assertMailConfigured(context)
  if (!(await confirmsEmails(context))) throw new AppError(accountErrors.noEmailConfirmation)
  const { db, limits } = context
  await limits.of(registrationLimits).mailsOfAddress.assertAllowed(db, from)
  await mailLink(context, email, (await findRegistration(db, { email, username }))?.id)
}

/**
 * Creates the account of a registration by the code of its mail. Returns whether it waits for approval. Throws `invalid` for a
 * code that was used or has expired, `conflict` if another account has the address or the username by now.
 */
export async function confirmByCode(
  context: Pick<WebContext, 'db' | 'clock' | 'mailer' | 'log'>,
  code: string,
): Promise<{ awaitsApproval: boolean }> {
  assertMailConfigured(context)
  const { db, clock, log } = context
  const { userId } = await getCode(context, code, 'confirm_registration')
  const now = clock.now()
  const awaitsApproval = await db.transaction().execute(async (transaction) => {
    await useCode(transaction, code)
    const registration = await takeRegistration(transaction, userId)
    if (!registration) throw usedLink()
    const { email } = registration
    if ((await findTaken(transaction, { username: '', email })).email) throw taken('email')
    await insertUser(transaction, {
      ...registration,
      hasPassword: true,
      createdAt: now,
      suspendedAt: registration.awaitsApproval ? now : null,
    })
    await putConfirmed(transaction, { userId, email, now })
    if (registration.awaitsApproval) await notifyModerators(transaction, userId)
    await insertUserEvent(transaction, userId)
    return registration.awaitsApproval
  })
  log.info({ userId }, 'registration confirmed')
  return { awaitsApproval }
}

/**
 * Throws `forbidden` for the right password of a registration whose address is not confirmed. Looks the same whether an
 * account has that address or not, and on a site that sends mail takes the same time whether a registration waits or not.
 */
export async function assertConfirmed(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  { name, password }: { name: string; password: string },
): Promise<void> {
  if (!mailer) return
  const isRight = await verifyAnyPassword(await findPasswordHash(db, name), password)
  if (isRight) throw new AppError(accountErrors.emailNotConfirmed)
}
