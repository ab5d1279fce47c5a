import { deleteAccount, getStoredData } from '@kinora/contract/users.ts'
import { cacheTags } from '../../cache-tags.ts'
import type { WebContext } from '../../context.ts'
import { route } from '../../platform/http/routing/route.ts'
import { clearSessionCookie } from '../../platform/http/security/session-cookie.ts'
import { deleteOwnAccount } from './actions.ts'
import { countStored } from './queries.ts'

export const accountDeletionRoutes = [
  route(getStoredData, async ({ user }, { db }: WebContext) => countStored(db, user.id)),

  route(deleteAccount, { clears: cacheTags }, async ({ body, user, reply }, context: WebContext) => {
    await deleteOwnAccount(context, user, body.password)
    clearSessionCookie(reply)
    return null
  }),
]
