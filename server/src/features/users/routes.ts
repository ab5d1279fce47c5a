import path from 'node:path'
import {
  changePassword,
  getChannel,
  getCurrentUser,
  register,
  updateAvatar,
  updateCover,
  updateDetails,
} from '@kinora/contract/users.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pictureSender } from '../pictures/rules.ts'
import type { Config } from '../../config.ts'
import type { WebContext } from '../../context.ts'
import { ByteBudget } from '../../platform/concurrency/byte-budget.ts'
import { type FormLimits, readForm } from '../../platform/http/bodies/form.ts'
import { parseInput } from '../../platform/http/routing/parse-input.ts'
import { addressKey } from '../../platform/http/limits/client-address.ts'
import { picturesPace, waitForBeginning } from '../../platform/http/bodies/receive-body.ts'
import { goneSignal } from '../../platform/http/routing/gone-signal.ts'
import { route } from '../../platform/http/routing/route.ts'
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { readSessionToken } from '../../platform/http/security/session-cookie.ts'
import { changeDetails, changeOwnPassword, registerUser, replacePicture } from './actions.ts'
import { getChannelOf, getUser } from './queries.ts'
import { checkUsername, noPictureMessage, requirePicture } from './rules.ts'

/** Disk space of this process for profile and cover pictures that are being received or encoded. */
const incoming = new ByteBudget(4 * 1024 ** 3, 10_000)
/** Forms with pictures received from one address at a time; others wait. */
const receiving = new FairSemaphore({ total: Number.POSITIVE_INFINITY, perKey: 4 })

async function readPictures(
  request: FastifyRequest,
  config: Config,
  fields: string[],
  checkFields?: FormLimits['checkFields'],
) {
  await waitForBeginning(request, picturesPace)
  return receiving.run(addressKey(request.ip), () =>
    readForm(request, {
      directory: path.join(config.dataDir, 'incoming'),
      maxBytes: Object.fromEntries(fields.map((field) => [field, config.pictureMaxBytes])),
      idleSeconds: config.uploadIdleSeconds,
      pace: picturesPace,
      budget: incoming,
      ...(checkFields ? { checkFields } : {}),
    }),
  )
}

/** Errors of the text fields of a registration that have arrived so far. */
function checkRegistration(fields: Record<string, string>, config: Config): void {
  const known = Object.entries(register.body.shape).filter(([field]) => field in fields)
  parseInput(z.object(Object.fromEntries(known)), fields, config)
}

export const userRoutes = [
  route(register, { clears: [] }, async ({ request, reply }, context: WebContext) => {
    const signal = goneSignal(reply)
    await context.limits.registrations.assertAllowed(context.db, addressKey(request.ip))
    await using form = await readPictures(request, context.config, ['avatar', 'coverImage'], (came) =>
      checkRegistration(came, context.config),
    )
    const fields = parseInput(register.body, form.fields, context.config)
    checkUsername(fields.username)
    const avatar = requirePicture(form.files.avatar, 'avatar', 'Profile picture is required')
    const { coverImage } = form.files
    const userId = await registerUser(
      { ...context, sender: pictureSender(request.ip), signal },
      {
        ...fields,
        avatar: avatar.path,
        coverImage: coverImage && coverImage.sizeBytes > 0 ? coverImage.path : undefined,
      },
    )
    return await getUser(context.db, userId)
  }),

  route(getCurrentUser, async ({ user }, { db }: WebContext) => getUser(db, user.id)),

  route(getChannel, async ({ params, user }, { db }: WebContext) =>
    getChannelOf(db, params.username, user.id),
  ),

  route(updateDetails, { clears: ['channels'] }, async ({ body, user }, context: WebContext) => {
    await changeDetails(context, user.id, body)
    return getUser(context.db, user.id)
  }),

  route(changePassword, { clears: [] }, async ({ body, user, request }, context: WebContext) => {
    await changeOwnPassword(context, user, body, readSessionToken(request) ?? '')
    return null
  }),

  route(updateAvatar, { clears: ['channels'] }, async ({ user, request }, context: WebContext) => {
    await using form = await readPictures(request, context.config, ['avatar'])
    const { path: file } = requirePicture(form.files.avatar, 'avatar', noPictureMessage)
    await replacePicture({ ...context, sender: pictureSender(request.ip, user.id) }, user.id, 'avatar', file)
    return await getUser(context.db, user.id)
  }),

  route(updateCover, { clears: ['channels'] }, async ({ user, request }, context: WebContext) => {
    await using form = await readPictures(request, context.config, ['coverImage'])
    const { path: file } = requirePicture(form.files.coverImage, 'coverImage', noPictureMessage)
    await replacePicture(
      { ...context, sender: pictureSender(request.ip, user.id) },
      user.id,
      'coverImage',
      file,
    )
    return await getUser(context.db, user.id)
  }),
]
