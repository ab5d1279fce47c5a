import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { readSessionToken, setSessionCookie } from '@kinora/platform/http/security/session-cookie.ts'
import { endSession, rememberAddress, rememberDevice, startSession } from '../sessions/actions.ts'
import { cookieOptions, deviceOf } from '../sessions/rules.ts'
import { signInLimit } from './limits.ts'

/**
 * Signs an account in after its authentication: sets the cookie, and notes address and device. Throws
 * `unauthenticated` if its password was changed in the meantime.
 */
export async function completeSignIn(
  context: WebContext,
  user: { id: string; passwordHash: string },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const address = addressKey(request.ip)
  await context.limits.of(signInLimit).pass(address)
  const device = deviceOf(request.headers['user-agent'])
  const token = await startSession(context, { ...user, device })
  if (!token) throw new AppError(accountErrors.wrongLogin)
  await rememberAddress(context, user.id, address)
  await rememberDevice(context, user.id, device)
  context.log.info({ userId: user.id, address }, 'signed in')
  // the response replaces the cookie of the previous session
  const before = readSessionToken(request)
  if (before) await endSession(context.db, before)
  setSessionCookie(reply, token, cookieOptions(request.protocol, context.config))
}
