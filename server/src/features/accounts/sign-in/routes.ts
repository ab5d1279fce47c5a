import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { loginWithPasskey, login } from '@kinora/contract/accounts/sign-in.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { addressKey, networkKey } from '@kinora/platform/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { originOf } from '@kinora/platform/http/security/origin.ts'
import { findByPasskey } from '../passkeys/actions.ts'
import { assertConfirmed } from '../registrations/actions.ts'
import { assertSecondFactor, passesSecondFactor } from '../second-factor/actions.ts'
import { findByPassword } from '../users/actions/find-by-password.ts'
import { getUser } from '../users/queries.ts'
import { completeSignIn } from './actions.ts'

export const signInRoutes = [
  route(login, { clears: [] }, async ({ body, request, reply }, context: WebContext) => {
    const name = body.email ?? body.username ?? ''
    const { code } = body
    const from = { address: addressKey(request.ip), network: networkKey(request.ip) }
    let hasPassed = false
    const provesItself = async (userId: string) => {
      // a refusal of the code would tell strangers that the account exists
      hasPassed =
        code !== undefined && (await passesSecondFactor(context, userId, { code, from }).catch(toFalse))
      return hasPassed
    }
    const user = await findByPassword(context, { name, password: body.password, from, provesItself })
    if (!user) await assertConfirmed(context, { name, password: body.password })
    if (!user) throw new AppError(accountErrors.wrongLogin)
    if (!hasPassed) await assertSecondFactor(context, user.id, { code, from })
    await completeSignIn(context, user, { request, reply })
    return { user: await getUser(context.db, user.id) }
  }),

  // no limit of failures: a signature cannot be guessed, and this way in stays open while passwords are guessed
  route(loginWithPasskey, { clears: [] }, async ({ body, request, reply }, context: WebContext) => {
    const origin = originOf(request, context.config.publicUrl)
    const user = await findByPasskey(context, { credential: body, origin })
    await completeSignIn(context, user, { request, reply })
    return { user: await getUser(context.db, user.id) }
  }),
]

function toFalse(error: unknown): false {
  if (error instanceof AppError) return false
  throw error
}
