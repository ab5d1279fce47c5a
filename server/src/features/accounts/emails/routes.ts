import {
  confirmEmail,
  getEmailState,
  keepEmail,
  requestEmailConfirmation,
  updateDetails,
} from '@kinora/contract/accounts/emails.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { getUser } from '../users/queries.ts'
import { changeDetails, confirmByCode, keepByCode, requestConfirmation } from './actions.ts'
import { getState } from './queries.ts'

export const emailRoutes = [
  route(updateDetails, { clears: ['channels'] }, async ({ body, user }, context: WebContext) => {
    await changeDetails(context, user, body)
    return getUser(context.db, user.id)
  }),

  route(getEmailState, async ({ user }, { db }: WebContext) => getState(db, user.id)),

  route(requestEmailConfirmation, { clears: [] }, async ({ user }, context: WebContext) => {
    await requestConfirmation(context, user)
    return null
  }),

  route(confirmEmail, { clears: [] }, async ({ body }, context: WebContext) => {
    await confirmByCode(context, body.code)
    return null
  }),

  route(keepEmail, { clears: [] }, async ({ body }, context: WebContext) => {
    await keepByCode(context, body.code)
    return null
  }),
]
