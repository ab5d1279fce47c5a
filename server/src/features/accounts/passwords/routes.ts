import { changePassword, requestPasswordReset, resetPassword } from '@kinora/contract/accounts/passwords.ts'
import type { WebContext } from '../../../context/context.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { readSessionToken } from '@kinora/platform/http/security/session-cookie.ts'
import { changeOwnPassword } from '../users/actions/change-password.ts'
import { requestReset, resetByCode } from './actions.ts'

export const passwordRoutes = [
  route(changePassword, { clears: [] }, async ({ body, user, request }, context: WebContext) => {
    await changeOwnPassword(context, user, body, readSessionToken(request) ?? '')
    return null
  }),

  route(requestPasswordReset, { clears: [] }, async ({ body, request }, context: WebContext) => {
    await requestReset(context, { email: body.email, from: addressKey(request.ip) })
    return null
  }),

  route(resetPassword, { clears: [] }, async ({ body }, context: WebContext) => {
    await resetByCode(context, body)
    return null
  }),
]
