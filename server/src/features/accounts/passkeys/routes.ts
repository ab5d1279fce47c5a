import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import * as contract from '@kinora/contract/accounts/passkeys.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { originOf } from '@kinora/platform/http/security/origin.ts'
import { deviceOf } from '../sessions/rules.ts'
import { beginLogin, beginRegistration, listPasskeys, register } from './actions.ts'
import { deletePasskeyOf } from './queries.ts'

export const passkeyRoutes = [
  route(contract.listPasskeys, async ({ user }, { db }: WebContext) => listPasskeys(db, user.id)),

  route(contract.beginPasskey, { clears: [] }, async ({ body, user, request }, context: WebContext) => {
    const origin = originOf(request, context.config.publicUrl)
    return { ...(await beginRegistration(context, user, { password: body.password, origin })) }
  }),

  route(contract.addPasskey, { clears: [] }, async ({ body, user, request }, context: WebContext) =>
    register(context, user, {
      credential: body,
      name: deviceOf(request.headers['user-agent']),
      origin: originOf(request, context.config.publicUrl),
    }),
  ),

  route(contract.deletePasskey, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    if (!(await deletePasskeyOf(db, user.id, params.passkeyId)))
      throw new AppError(accountErrors.passkeyNotFound)
    return null
  }),

  route(
    contract.beginPasskeyLogin,
    { clears: [], isAudited: false },
    async ({ request }, context: WebContext) => ({
      ...(await beginLogin(context, originOf(request, context.config.publicUrl))),
    }),
  ),
]
