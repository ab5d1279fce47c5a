import path from 'node:path'
import * as contract from '@kinora/contract/studio.ts'
import type { WebContext } from '../../context.ts'
import { readForm } from '../../platform/http/bodies/form.ts'
import { picturesPace } from '../../platform/http/bodies/receive-body.ts'
import { route } from '../../platform/http/routing/route.ts'
import { pictureSender } from '../pictures/rules.ts'
import { requireFile } from '../uploads/rules.ts'
import { changeVideo } from '../videos/actions/change-visibility.ts'
import { replaceOwnThumbnail } from './actions.ts'
import { getVideoOf, listVideosOf } from './queries.ts'

export const studioRoutes = [
  route(contract.listOwnVideos, ({ query, user }, { db }: WebContext) => listVideosOf(db, user.id, query)),

  route(contract.getOwnVideo, ({ params, user }, { db }: WebContext) => getVideoOf(db, user.id, params.id)),

  route(contract.changeOwnVideo, async ({ params, body, user }, context: WebContext) => {
    const { publishAt, ...changes } = body
    await changeVideo(context, params.id, user.id, {
      ...changes,
      publishAt: publishAt === undefined ? undefined : new Date(publishAt),
    })
    return getVideoOf(context.db, user.id, params.id)
  }),

  route(contract.replaceThumbnail, async ({ params, user, request }, context: WebContext) => {
    const { config } = context
    await using form = await readForm(request, {
      directory: path.join(config.dataDir, 'incoming'),
      maxBytes: { thumbnail: config.pictureMaxBytes },
      idleSeconds: config.uploadIdleSeconds,
      pace: picturesPace,
    })
    const { path: file } = requireFile(form.files, 'thumbnail')
    const sender = pictureSender(request.ip, user.id)
    await replaceOwnThumbnail({ ...context, sender }, params.id, user.id, file)
    return getVideoOf(context.db, user.id, params.id)
  }),
]
