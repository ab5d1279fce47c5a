import { deleteAccount } from '@kinora/contract/users.ts'
import type { Context } from '../../context.ts'
import { route } from '../../platform/http/route.ts'
import { clearSessionCookie } from '../../platform/http/session-cookie.ts'
import { deleteOwnAccount } from './actions.ts'

export const accountRoutes = [
  route(deleteAccount, async ({ body, user, reply }, context: Context) => {
    await deleteOwnAccount(context, user, body.password)
    clearSessionCookie(reply)
    return null
  }),
]
