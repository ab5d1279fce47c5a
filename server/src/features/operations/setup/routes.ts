import * as contract from '@kinora/contract/operations/setup.ts'
import type { WebContext } from '../../../context/context.ts'
import { disconnectSignal } from '@kinora/platform/http/routing/disconnect-signal.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { pictureSender } from '../../pictures/rules.ts'
import { getUser } from '../../accounts/users/queries.ts'
import { assertSetupToken, completeSetup } from './actions.ts'

export const setupRoutes = [
  route(contract.openSetup, { clears: [] }, async ({ body }, { db, siteSettings }: WebContext) => {
    await assertSetupToken(db, body.token)
    return { settings: siteSettings.current, fixed: siteSettings.fixed }
  }),

  route(contract.completeSetup, { clears: [] }, async ({ body, request, reply }, context: WebContext) => {
    const services = { ...context, sender: pictureSender(request.ip), signal: disconnectSignal(reply) }
    return getUser(context.db, await completeSetup(services, body))
  }),
]
