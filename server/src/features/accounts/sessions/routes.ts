import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import * as contract from '@kinora/contract/accounts/sessions.ts'
import { logout } from '@kinora/contract/accounts/sessions.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Authenticate } from '@kinora/platform/http/routing/route.ts'
import { route, type Viewer } from '@kinora/platform/http/routing/route.ts'
import {
  clearSessionCookie,
  readSessionToken,
  setSessionCookie,
} from '@kinora/platform/http/security/session-cookie.ts'
import { endOtherSessions, endSession, endSessionById, listSessions, resumeSession } from './actions.ts'
import { cookieOptions } from './rules.ts'

/** Identifies the user of a request by the session cookie. */
export function authenticateBySession(context: WebContext): Authenticate {
  return async (request, reply) => {
    const token = readSessionToken(request)
    if (!token) return null
    const session = await resumeSession(context, token)
    if (!session) return null
    if (session.wasRenewed) setSessionCookie(reply, token, cookieOptions(request.protocol, context.config))
    return session.viewer
  }
}

export const sessionRoutes = [
  route(logout, { clears: [] }, async ({ request, reply }, { db }: WebContext) => {
    const token = readSessionToken(request)
    if (token) await endSession(db, token)
    clearSessionCookie(reply)
    return null
  }),

  route(contract.listSessions, async ({ user, request }, context: WebContext) =>
    listSessions(context, user, readSessionToken(request) ?? ''),
  ),

  route(contract.endSession, { clears: [] }, async ({ params, user }, { db, config }: WebContext) => {
    assertNotShared(user, config)
    await endSessionById(db, user.id, params.sessionId)
    return null
  }),

  route(contract.endOtherSessions, { clears: [] }, async ({ user, request }, { db, config }: WebContext) => {
    assertNotShared(user, config)
    await endOtherSessions(db, user.id, readSessionToken(request) ?? '')
    return null
  }),
]

function assertNotShared(user: Viewer, config: WebContext['config']): void {
  if (isTestAccount(user.username, config)) throw new AppError(accountErrors.sharedAccountSessions)
}
