import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import {
  getChannel,
  getCurrentUser,
  putLanguage,
  putViewing,
  updateAvatar,
  updateCover,
} from '@kinora/contract/accounts/users.ts'
import type { FastifyRequest } from 'fastify'
import { pictureSender } from '../../pictures/rules.ts'
import type { WebContext } from '../../../context/context.ts'
import { readPictures } from '@kinora/platform/http/bodies/read-pictures.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { replacePicture } from './actions/change-pictures.ts'
import { getChannelOf, getUser, updateLanguage, updateViewing } from './queries.ts'
import { requirePicture } from './rules.ts'

/** Configuration and sender of a form with pictures. */
const from = ({ ip }: FastifyRequest, { config }: WebContext) => ({ ...config, sender: addressKey(ip) })

export const userRoutes = [
  route(putLanguage, { clears: [] }, async ({ body, user }, { db }: WebContext) => {
    await updateLanguage(db, user.id, body.language)
    return null
  }),

  route(putViewing, { clears: [] }, async ({ body, user }, { db }: WebContext) => {
    await updateViewing(db, user.id, body)
    return null
  }),

  route(getCurrentUser, async ({ user }, { db }: WebContext) => getUser(db, user.id)),

  route(getChannel, async ({ params, user }, { db }: WebContext) =>
    getChannelOf(db, params.username, user.id),
  ),

  route(updateAvatar, { clears: ['channels'] }, async ({ user, request }, context: WebContext) => {
    await using form = await readPictures(request, from(request, context), ['avatar'])
    const { path: file } = requirePicture(form.files.avatar, 'avatar', accountErrors.pictureMissing)
    await replacePicture({ ...context, sender: pictureSender(request.ip, user.id) }, user.id, 'avatar', file)
    return await getUser(context.db, user.id)
  }),

  route(updateCover, { clears: ['channels'] }, async ({ user, request }, context: WebContext) => {
    await using form = await readPictures(request, from(request, context), ['coverImage'])
    const { path: file } = requirePicture(form.files.coverImage, 'coverImage', accountErrors.pictureMissing)
    await replacePicture(
      { ...context, sender: pictureSender(request.ip, user.id) },
      user.id,
      'coverImage',
      file,
    )
    return await getUser(context.db, user.id)
  }),
]
