import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import type { ApiToken, createApiToken as creation } from '@kinora/contract/accounts/api-tokens.ts'
import { apiTokensPerAccount, isTestAccount } from '@kinora/contract/constants.ts'
import type { BodyOf } from '@kinora/contract/endpoint.ts'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { type TokenScope, tokenScopes } from '@kinora/contract/accounts/token-scopes.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { choicesOf } from '../../../context/list-choices.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { apiTokenPrefix } from '@kinora/platform/http/security/api-token.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { newId } from '@kinora/platform/ids.ts'
import { hashOfToken, newToken } from '@kinora/platform/secret-token.ts'
import {
  deleteApiTokenOf,
  deleteApiTokensOf,
  findApiToken,
  insertApiToken,
  listApiTokensOf,
  updateTokenUse,
} from './queries.ts'

/** Resolution of the time of last use: a write for every request would cost too much. */
const useStaleMs = 60_000

const parseScopes = (stored: string[]) => tokenScopes.filter((scope) => stored.includes(scope))

/** The person of a token and its scopes; null for a token that is unknown, expired or revoked. */
export async function resumeApiToken(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<{ viewer: Viewer; scopes: TokenScope[] } | null> {
  const tokenHash = hashOfToken(token)
  const now = clock.now()
  const found = await findApiToken(db, tokenHash, now)
  if (!found) return null
  const { id, username, tokenId, usedAt } = found
  const scopes = parseScopes(found.scopes)
  if (!usedAt || now.getTime() - usedAt.getTime() > useStaleMs) await updateTokenUse(db, tokenHash, now)
  // the powers of a role are a scope of their own
  const role = scopes.includes('admin') ? found.role : 'member'
  const hasMuted = Boolean(found.hasMuted)
  return { viewer: { id, username, role, hasMuted, choices: choicesOf(found), tokenId }, scopes }
}

/** The tokens of a person, newest first. */
export async function listApiTokens(db: Db, userId: string): Promise<ApiToken[]> {
  const rows = await listApiTokensOf(db, userId)
  return rows.map(({ id, name, scopes, createdAt, expiresAt, usedAt }) => ({
    _id: id,
    name,
    scopes: parseScopes(scopes),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    usedAt: usedAt?.toISOString() ?? null,
  }))
}

/**
 * Creates a token. Returns it once: the database has only its hash. Throws `forbidden` for the shared account and for a scope
 * beyond the role, `conflict` if the account has too many.
 */
export async function createApiToken(
  { db, clock, config, log }: Pick<WebContext, 'db' | 'clock' | 'config' | 'log'>,
  user: Viewer,
  { name, scopes: chosen, days }: Omit<BodyOf<typeof creation>, 'password'>,
): Promise<ApiToken & { token: string }> {
  if (isTestAccount(user.username, config)) throw new AppError(accountErrors.sharedAccountApiToken)
  const scopes = parseScopes(chosen)
  if (scopes.includes('admin') && !hasRole(user.role, 'moderator'))
    throw new AppError(accountErrors.adminScopeNotAllowed)
  const token = apiTokenPrefix + newToken()
  const now = clock.now()
  const expiresAt = days === null ? null : new Date(now.getTime() + days * dayMs)
  const row = {
    id: newId(),
    userId: user.id,
    tokenHash: hashOfToken(token),
    name,
    scopes,
    createdAt: now,
    expiresAt,
  }
  if (!(await insertApiToken(db, row, apiTokensPerAccount)))
    throw new AppError(accountErrors.apiTokenLimit, { limit: apiTokensPerAccount })
  log.info({ userId: user.id, tokenId: row.id, scopes }, 'api token created')
  const { id, createdAt } = row
  return {
    _id: id,
    name,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    usedAt: null,
    token,
  }
}

/** Revokes a token of a person. Throws `not_found` if it was revoked already or is another person's. */
export async function revokeApiToken(db: Db, userId: string, id: string): Promise<void> {
  if (!(await deleteApiTokenOf(db, userId, id))) throw new AppError(accountErrors.apiTokenNotFound)
}

/** Revokes every token of a person. */
export async function revokeApiTokens(db: Db, userId: string): Promise<void> {
  await deleteApiTokensOf(db, userId)
}
