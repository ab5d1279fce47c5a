import {
  getAccountDeletion,
  keepAccount,
  deleteAccount,
  getStoredData,
} from '@kinora/contract/portability/account-deletion.ts'
import { cacheTags } from '../../../context/cache-tags.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { clearSessionCookie, readSessionToken } from '@kinora/platform/http/security/session-cookie.ts'
import { cancelDeletion, deleteOwnAccount, getLeaving } from './actions.ts'
import { countStored } from './queries.ts'

export const accountDeletionRoutes = [
  route(getStoredData, async ({ user }, { db }: WebContext) => countStored(db, user.id)),

  route(getAccountDeletion, async ({ request }, context: WebContext) => {
    const { username, deletesAt } = await getLeaving(context, readSessionToken(request))
    return { username, deletesAt: deletesAt.toISOString() }
  }),

  route(keepAccount, { clears: cacheTags }, async ({ request }, context: WebContext) => {
    const { id } = await getLeaving(context, readSessionToken(request))
    await cancelDeletion(context, id)
    context.log.info({ userId: id }, 'account kept')
    return null
  }),

  route(deleteAccount, { clears: cacheTags }, async ({ body, user, reply }, context: WebContext) => {
    await deleteOwnAccount(context, user, body.password)
    clearSessionCookie(reply)
    return null
  }),
]
