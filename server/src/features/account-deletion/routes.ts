import { deleteAccount } from '@kinora/contract/users.ts'
import { cacheTags } from '../../cache-tags.ts'
import type { WebContext } from '../../context.ts'
import { route } from '../../platform/http/routing/route.ts'
import { clearSessionCookie } from '../../platform/http/security/session-cookie.ts'
import { deleteOwnAccount } from './actions.ts'

export const accountDeletionRoutes = [
  route(deleteAccount, { clears: cacheTags }, async ({ body, user, reply }, context: WebContext) => {
    await deleteOwnAccount(context, user, body.password)
    clearSessionCookie(reply)
    return null
  }),
]
