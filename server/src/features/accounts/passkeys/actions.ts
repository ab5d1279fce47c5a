import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import type { addPasskey, Passkey } from '@kinora/contract/accounts/passkeys.ts'
import type { loginWithPasskey } from '@kinora/contract/accounts/sign-in.ts'
import type { BodyOf } from '@kinora/contract/endpoint.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { assertPassword } from '../users/actions/change-password.ts'
import {
  deleteChallenge,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeysOf,
  updatePasskeyUse,
} from './queries.ts'

/** Loaded at the first use: the library takes memory, and Node warns of an experimental algorithm that it asks for. */
const load = () => import('@simplewebauthn/server')

const challengeMs = 5 * 60_000
const passkeysPerAccount = 20

type Site = Pick<Context, 'db' | 'clock'>

const expiry = ({ clock }: Pick<Context, 'clock'>) => new Date(clock.now().getTime() + challengeMs)
const hostOf = (origin: string) => new URL(origin).hostname

/** The passkeys of an account, newest first. */
export async function listPasskeys(db: Context['db'], userId: string): Promise<Passkey[]> {
  const rows = await listPasskeysOf(db, userId)
  return rows.map(({ id, name, createdAt, usedAt }) => ({
    _id: id,
    name,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }))
}

/** Options with which the browser creates a passkey for an account. */
export async function beginRegistration(
  context: Pick<WebContext, 'db' | 'clock' | 'config' | 'limits' | 'log' | 'siteSettings'>,
  user: Viewer,
  { password, origin }: { password: string; origin: string },
) {
  if (isTestAccount(user.username, context.config)) throw new AppError(accountErrors.sharedAccountPasskey)
  await assertPassword(context, user, { path: 'password', password })
  const existing = await listPasskeysOf(context.db, user.id)
  const { siteName } = await context.siteSettings.load()
  const { generateRegistrationOptions } = await load()
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID: hostOf(origin),
    userName: user.username,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    excludeCredentials: existing.map(({ id }) => ({ id })),
    // discoverable and verified: it replaces email, password and second factor
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { challenge } = options
  await insertChallenge(context.db, { challenge, userId: user.id, expiresAt: expiry(context) })
  return options
}

/** Adds the passkey that the browser created. Throws `invalid` for one that does not fit the site or its challenge. */
export async function register(
  context: Site & Pick<Context, 'log'>,
  user: Viewer,
  { credential, name, origin }: { credential: BodyOf<typeof addPasskey>; name: string; origin: string },
): Promise<Passkey> {
  const { db, clock, log } = context
  const now = clock.now()
  const { verifyRegistrationResponse } = await load()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: (challenge) => deleteChallenge(db, { challenge, userId: user.id, now }),
    expectedOrigin: origin,
    expectedRPID: hostOf(origin),
    requireUserVerification: true,
  }).catch(refuse)
  if (!verified || !registrationInfo) throw notAccepted()
  const { id, publicKey, counter } = registrationInfo.credential
  const passkey = { id, userId: user.id, publicKey, counter, name, createdAt: now }
  if (!(await insertPasskey(db, passkey, passkeysPerAccount)))
    throw new AppError(accountErrors.passkeyLimit, { limit: passkeysPerAccount })
  log.info({ userId: user.id }, 'passkey added')
  return { _id: id, name, createdAt: now.toISOString(), usedAt: null }
}

/** Options with which the browser signs in by a passkey of this site. */
export async function beginLogin(context: Site, origin: string) {
  const { generateAuthenticationOptions } = await load()
  const options = await generateAuthenticationOptions({
    rpID: hostOf(origin),
    userVerification: 'required',
  })
  await insertChallenge(context.db, {
    challenge: options.challenge,
    userId: null,
    expiresAt: expiry(context),
  })
  return options
}

/**
 * The account of a passkey. Throws `unauthenticated` for one that is unknown, does not fit or comes too late, `forbidden`
 * for a suspended account.
 */
export async function findByPasskey(
  { db, clock }: Site,
  { credential, origin }: { credential: BodyOf<typeof loginWithPasskey>; origin: string },
): Promise<{ id: string; passwordHash: string }> {
  const now = clock.now()
  const passkey = await findPasskey(db, credential.id)
  if (!passkey) throw unknownPasskey()
  const { userHandle, ...response } = credential.response
  const { verifyAuthenticationResponse } = await load()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...credential,
      response: userHandle === undefined ? response : { ...response, userHandle },
      clientExtensionResults: {},
    },
    expectedChallenge: async (challenge) => {
      if (await deleteChallenge(db, { challenge, userId: null, now })) return true
      throw new AppError(accountErrors.passkeyTooLate)
    },
    expectedOrigin: origin,
    expectedRPID: hostOf(origin),
    requireUserVerification: true,
    credential: {
      id: credential.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : unknownPasskey(cause)
  })
  if (!verified) throw unknownPasskey()
  await updatePasskeyUse(db, credential.id, { counter: authenticationInfo.newCounter, usedAt: now })
  if (passkey.suspendedAt && !passkey.deletesAt) throw new AppError(accountErrors.suspended)
  return { id: passkey.userId, passwordHash: passkey.passwordHash }
}

const notAccepted = (cause?: unknown) => new AppError(accountErrors.passkeyNotAdded, { cause })

const unknownPasskey = (cause?: unknown) => new AppError(accountErrors.passkeyUnknown, { cause })

function refuse(cause: unknown): never {
  throw cause instanceof AppError ? cause : notAccepted(cause)
}
