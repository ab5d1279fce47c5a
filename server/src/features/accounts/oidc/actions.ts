import { randomBytes } from 'node:crypto'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import type { OidcConnection } from '@kinora/contract/accounts/oidc.ts'
import type { Configuration } from 'openid-client'
import type { Config } from '../../../context/config.ts'
import type { WebContext } from '../../../context/context.ts'
import { withPlainPicture } from '@kinora/media/pictures/plain-picture.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import { assertPassword } from '../users/actions/change-password.ts'
import { registerUser } from '../users/actions/register-user.ts'
import { findTaken } from '../users/queries.ts'
import { checkUsername } from '../users/rules.ts'
import {
  hasPassword,
  insertIdentity,
  insertRequest,
  listIdentities,
  takeRequest,
  recordIdentityUse,
} from './queries.ts'
import { Claims, fullnameOf, usernameOf } from './rules.ts'
import { registrationLimits } from '../registrations/limits.ts'

type Provider = Config['oidcProviders'][number]

const requestMs = 10 * 60_000
const discoverySeconds = 10

// the library is loaded by the first sign-in
const load = () => import('openid-client')

/** Discovered metadata of each provider; a failure is not kept. */
const discovered = new Map<string, Promise<Configuration>>()

async function configurationOf({ issuer, clientId, clientSecret }: Provider): Promise<Configuration> {
  const key = JSON.stringify([issuer, clientId, clientSecret])
  const known = discovered.get(key)
  if (known) return known
  const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await load()
  const url = new URL(issuer)
  const found = discovery(url, clientId, clientSecret, undefined, {
    timeout: discoverySeconds,
    // Without these checks, ID tokens are trusted because of the connection that they come by.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
  discovered.set(key, found)
  found.catch(() => discovered.delete(key))
  return found
}

/** The provider of an id. Throws `not_found`. */
export function getProvider({ config }: Pick<WebContext, 'config'>, id: string): Provider {
  const provider = config.oidcProviders.find((each) => each.id === id)
  if (!provider) throw new AppError(accountErrors.providerNotFound)
  return provider
}

const redirectOf = ({ config }: Pick<WebContext, 'config'>, { id }: Provider) =>
  new URL(`/oidc/${id}`, config.publicUrl).href

/** Begins a sign-in, or with `userId` a connection. Returns the address at the provider. `browser` is in a cookie. */
export async function begin(
  context: Pick<WebContext, 'db' | 'clock' | 'config' | 'log'>,
  provider: Provider,
  { browser, userId, invitation }: { browser: string; userId: string | null; invitation: string },
): Promise<string> {
  const client = await load()
  const configuration = await configurationOf(provider).catch((cause: unknown) => {
    throw new AppError(accountErrors.providerUnreachable, { name: provider.name }, { cause })
  })
  const [state, nonce, codeVerifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ]
  await insertRequest(context.db, {
    stateHash: hashOfToken(state),
    browserHash: hashOfToken(browser),
    issuer: provider.issuer,
    nonce,
    codeVerifier,
    userId,
    invitation,
    expiresAt: new Date(context.clock.now().getTime() + requestMs),
  })
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectOf(context, provider),
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }).href
}

/** Begins to connect an account. Asks for the password of an account that has one, as for other ways to sign in. */
export async function beginLink(
  context: Pick<WebContext, 'db' | 'clock' | 'config' | 'log' | 'limits'>,
  user: Viewer,
  provider: Provider,
  { browser, password }: { browser: string; password: string },
): Promise<string> {
  if (isTestAccount(user.username, context.config)) throw new AppError(accountErrors.sharedAccountProvider)
  if (await hasPassword(context.db, user.id))
    await assertPassword(context, user, { path: 'password', password })
  return begin(context, provider, { browser, userId: user.id, invitation: '' })
}

type FinishContext = Pick<WebContext, 'db' | 'clock' | 'log' | 'limits'> & Parameters<typeof registerUser>[0]

/**
 * The account that the response of a provider signs in, a new one if nobody has it; or the account that is connected with
 * it now. Throws `unauthenticated` for a response that was used, is late, of another browser or not of this provider,
 * `too_many_requests` after too many new accounts from an address.
 */
export async function finish(
  context: FinishContext,
  provider: Provider,
  {
    query,
    browser,
    viewer,
    address,
  }: { query: string; browser: string | undefined; viewer: Viewer | null; address: string },
): Promise<{ user: { id: string; passwordHash: string } | undefined; linkedId: string | undefined }> {
  const { db, clock, log } = context
  const url = new URL(redirectOf(context, provider))
  url.search = query
  const state = url.searchParams.get('state')
  if (!state || !browser) throw expired()
  const request = await takeRequest(db, {
    stateHash: hashOfToken(state),
    browserHash: hashOfToken(browser),
    issuer: provider.issuer,
    now: clock.now(),
  })
  if (!request) throw expired()
  if (request.userId !== null && request.userId !== viewer?.id) throw expired()
  const claims = await readClaims(provider, url, { ...request, state }).catch((cause: unknown) => {
    log.info({ provider: provider.id, err: cause }, 'sign-in at provider failed')
    throw new AppError(accountErrors.providerRefused, { name: provider.name }, { cause })
  })
  const identity = { issuer: provider.issuer, subject: claims.sub }
  if (request.userId !== null) {
    const link = { ...identity, userId: request.userId, createdAt: clock.now() }
    if (!(await insertIdentity(db, link)))
      throw new AppError(accountErrors.providerConnected, { name: provider.name })
    log.info({ userId: request.userId, provider: provider.id }, 'provider connected')
    return { user: undefined, linkedId: request.userId }
  }
  const known = await recordIdentityUse(db, identity, clock.now())
  if (!known) {
    await context.limits.of(registrationLimits).registrations.assertAllowed(db, address)
    await createAccount(context, provider, claims, request.invitation)
  }
  const user = known ?? (await recordIdentityUse(db, identity, clock.now()))
  if (!user) throw expired()
  if (user.awaitsApproval) throw new AppError(accountErrors.awaitsApproval)
  if (user.suspendedAt && !user.deletesAt) throw new AppError(accountErrors.suspended)
  return { user, linkedId: undefined }
}

const expired = () => new AppError(accountErrors.signInExpired)

/** Exchanges the code. The library checks state, issuer, signature, audience, nonce and the code verifier. */
async function readClaims(
  provider: Provider,
  url: URL,
  { state, nonce, codeVerifier }: { state: string; nonce: string; codeVerifier: string },
): Promise<Claims> {
  const client = await load()
  const configuration = await configurationOf(provider)
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  // many providers give the email address only here
  const more =
    claims && claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {}
  return Claims.parse({ ...more, ...claims })
}

/** Creates an account by the registration policy. An existing account of the address must be connected by its owner. */
async function createAccount(
  context: FinishContext,
  provider: Provider,
  claims: Claims,
  invitation: string,
): Promise<void> {
  const { db, clock, config } = context
  const { email } = claims
  if (email === undefined) throw new AppError(accountErrors.providerWithoutEmail, { name: provider.name })
  const username = await freeUsername(db, claims, email)
  await withPlainPicture(username, (avatar) =>
    registerUser(
      context,
      {
        email,
        username,
        fullname: fullnameOf(claims, username, config.nameMaxCharacters),
        // nobody knows it: a password is set by mail or by the operator
        password: randomBytes(150).toString('base64url'),
        hasPassword: false,
        invitation,
        avatar,
        coverImage: undefined,
      },
      {
        also: async (transaction, userId) => {
          const identity = { issuer: provider.issuer, subject: claims.sub, userId, createdAt: clock.now() }
          if (!(await insertIdentity(transaction, identity))) throw expired()
        },
      },
    ),
  )
}

/** A username that nobody has. Throws `conflict` for an email address that somebody has. */
async function freeUsername(db: WebContext['db'], claims: Claims, email: string): Promise<string> {
  for (const suffix of ['', ...Array.from({ length: 8 }, () => String(randomBytes(4).readUInt32LE()))]) {
    const username = usernameOf(claims, suffix)
    const isTaken = await findTaken(db, { username, email })
    if (isTaken.email) throw new AppError(accountErrors.emailOfAnotherAccount)
    if (!isTaken.username && isAllowed(username)) return username
  }
  throw new AppError(accountErrors.noFreeUsername)
}

function isAllowed(username: string): boolean {
  try {
    checkUsername(username)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Providers of the site, and since when an account is connected with them. */
export async function listConnections(
  { db, config }: Pick<WebContext, 'db' | 'config'>,
  userId: string,
): Promise<{ hasPassword: boolean; providers: OidcConnection[] }> {
  const identities = await listIdentities(db, userId)
  return {
    hasPassword: await hasPassword(db, userId),
    providers: config.oidcProviders.map(({ id, name, issuer }) => {
      const identity = identities.find((each) => each.issuer === issuer)
      return {
        provider: id,
        name,
        linkedAt: identity?.createdAt.toISOString() ?? null,
        usedAt: identity?.usedAt?.toISOString() ?? null,
      }
    }),
  }
}
