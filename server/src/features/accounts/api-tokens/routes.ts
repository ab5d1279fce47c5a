import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import * as contract from '@kinora/contract/accounts/api-tokens.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { readApiToken } from '@kinora/platform/http/security/api-token.ts'
import type { Authenticate } from '@kinora/platform/http/routing/route.ts'
import { route, type Viewer } from '@kinora/platform/http/routing/route.ts'
import { createApiToken, listApiTokens, resumeApiToken, revokeApiToken } from './actions.ts'
import { requestLimit } from '../../../context/limits.ts'

/**
 * Identifies the user of a request by its API token alone, and requests without one by `bySession`. Throws
 * `unauthenticated` and `forbidden`, as RFC 6750 states in `WWW-Authenticate`.
 */
export function authenticateByToken(
  context: Pick<WebContext, 'db' | 'clock' | 'limits'>,
  bySession: Authenticate,
): Authenticate {
  return async (request, reply, scope) => {
    const token = readApiToken(request)
    if (token === undefined) return bySession(request, reply, scope)
    const found = await resumeApiToken(context, token)
    if (!found) {
      reply.header('www-authenticate', 'Bearer error="invalid_token"')
      throw new AppError(accountErrors.apiTokenInvalid)
    }
    // the tokens of a person together may call as often as one address
    context.limits.of(requestLimit).assertAllowed(`user ${found.viewer.id}`)
    if (scope && found.scopes.includes(scope)) return found.viewer
    reply.header('www-authenticate', `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`)
    throw scope
      ? new AppError(accountErrors.apiTokenLacksScope, { scope })
      : new AppError(accountErrors.apiTokenNotAccepted)
  }
}

/**
 * Creating a token needs the password. Its check `assertPassword` is passed in, because `users` ends sessions, and those
 * revoke tokens.
 */
export const apiTokenRoutes = (
  assertPassword: (
    context: WebContext,
    user: Viewer,
    typed: { path: string; password: string },
  ) => Promise<unknown>,
) => [
  route(contract.createApiToken, { clears: [] }, async ({ body, user }, context: WebContext) => {
    const { password, ...token } = body
    await assertPassword(context, user, { path: 'password', password })
    return createApiToken(context, user, token)
  }),

  route(contract.listApiTokens, ({ user }, { db }: WebContext) => listApiTokens(db, user.id)),

  route(contract.deleteApiToken, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    await revokeApiToken(db, user.id, params.tokenId)
    return null
  }),
]
