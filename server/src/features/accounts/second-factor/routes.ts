import * as contract from '@kinora/contract/accounts/second-factor.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { begin, confirm, getState, removeOwn } from './actions.ts'

export const secondFactorRoutes = [
  route(contract.getSecondFactor, async ({ user }, { db }: WebContext) => getState(db, user.id)),

  route(contract.beginSecondFactor, { clears: [] }, async ({ body, user }, context: WebContext) =>
    begin(context, user, body.password),
  ),

  route(contract.confirmSecondFactor, { clears: [] }, async ({ body, user }, context: WebContext) => ({
    recoveryCodes: await confirm(context, user.id, body.code),
  })),

  route(contract.removeSecondFactor, { clears: [] }, async ({ body, user }, context: WebContext) => {
    await removeOwn(context, user, body.password)
    return null
  }),
]
