import path from 'node:path'
import * as contract from '@kinora/contract/live/announcements.ts'
import { readForm } from '@kinora/platform/http/bodies/form.ts'
import { picturesPace } from '@kinora/platform/http/bodies/receive-body.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { writeLimit } from '../../../context/limits.ts'
import { pictureSender } from '../../pictures/rules.ts'
import { requireFile } from '../../videos/uploads/rules.ts'
import {
  announceStream,
  cancelAnnouncement,
  changeAnnouncement,
  getAnnounced,
  replaceAnnouncedPicture,
} from './actions.ts'
import { assertMayStream } from '../live-streams/actions/stream-keys.ts'
import { listAnnounced } from '../live-streams/queries/announcements.ts'

export const announcementRoutes = [
  route(contract.listAnnouncedStreams, ({ user }, { db }: WebContext) => listAnnounced(db, user.id)),

  route(
    contract.announceStream,
    { clears: ['videos'] },
    async ({ body, user, request }, context: WebContext) => {
      context.limits.of(writeLimit).assertAllowed(user.id)
      await assertMayStream(context, user.id)
      const sender = pictureSender(request.ip, user.id)
      return announceStream({ ...context, sender }, user.id, body)
    },
  ),

  route(
    contract.changeAnnouncedStream,
    { clears: ['videos'] },
    async ({ params, body, user }, context: WebContext) => {
      context.limits.of(writeLimit).assertAllowed(user.id)
      await getAnnounced(context.db, user.id, params.id)
      await assertMayStream(context, user.id)
      return changeAnnouncement(context, user.id, params.id, body)
    },
  ),

  route(
    contract.replaceAnnouncedPicture,
    { clears: ['videos'] },
    async ({ params, user, request }, context: WebContext) => {
      const { config } = context
      await getAnnounced(context.db, user.id, params.id)
      await assertMayStream(context, user.id)
      await using form = await readForm(request, {
        directory: path.join(config.dataDir, 'incoming'),
        maxBytes: { thumbnail: config.pictureMaxBytes },
        idleSeconds: config.uploadIdleSeconds,
        pace: picturesPace,
      })
      const { path: file } = requireFile(form.files, 'thumbnail')
      const sender = pictureSender(request.ip, user.id)
      return await replaceAnnouncedPicture({ ...context, sender }, user.id, params.id, file)
    },
  ),

  route(
    contract.cancelAnnouncedStream,
    { clears: ['videos'] },
    async ({ params, user }, context: WebContext) => {
      await cancelAnnouncement(context, user.id, params.id)
      return null
    },
  ),
]
