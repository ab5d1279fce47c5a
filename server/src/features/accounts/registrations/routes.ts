import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import {
  confirmRegistration,
  getRegistrationChallenge,
  requestRegistrationMail,
  register as contract,
} from '@kinora/contract/accounts/registrations.ts'
import { z } from 'zod'
import type { Config } from '../../../context/config.ts'
import type { WebContext } from '../../../context/context.ts'
import { readPictures } from '@kinora/platform/http/bodies/read-pictures.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { disconnectSignal } from '@kinora/platform/http/routing/disconnect-signal.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { pictureSender } from '../../pictures/rules.ts'
import { checkUsername, requirePicture } from '../users/rules.ts'
import { confirmByCode, createRegistrationChallenge, register, requestMail } from './actions.ts'
import { registrationLimits } from './limits.ts'

/** Errors of the text fields of a registration that have arrived so far. */
function checkRegistration(fields: Record<string, string>, config: Config): void {
  const known = Object.entries(contract.body.shape).filter(([field]) => field in fields)
  parseInput(z.object(Object.fromEntries(known)), fields, config)
}

export const registrationRoutes = [
  route(contract, { clears: [] }, async ({ request, reply }, context: WebContext) => {
    const { config, limits } = context
    const sender = addressKey(request.ip)
    await limits.of(registrationLimits).registrations.assertAllowed(context.db, sender)
    await using form = await readPictures(request, { ...config, sender }, ['avatar', 'coverImage'], (came) =>
      checkRegistration(came, config),
    )
    const fields = parseInput(contract.body, form.fields, config)
    checkUsername(fields.username)
    const avatar = requirePicture(form.files.avatar, 'avatar', accountErrors.profilePictureRequired)
    const { coverImage } = form.files
    return await register(
      { ...context, sender: pictureSender(request.ip), signal: disconnectSignal(reply) },
      {
        ...fields,
        avatar: avatar.path,
        coverImage: coverImage && coverImage.sizeBytes > 0 ? coverImage.path : undefined,
      },
    )
  }),

  route(getRegistrationChallenge, async ({ request }, context: WebContext) =>
    createRegistrationChallenge(context, addressKey(request.ip)),
  ),

  route(confirmRegistration, { clears: [] }, async ({ body }, context: WebContext) =>
    confirmByCode(context, body.code),
  ),

  route(requestRegistrationMail, { clears: [] }, async ({ body, request }, context: WebContext) => {
    await requestMail(context, { ...body, from: addressKey(request.ip) })
    return null
  }),
]
