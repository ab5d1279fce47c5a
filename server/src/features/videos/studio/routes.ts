import path from 'node:path'
import type { BodyOf } from '@kinora/contract/endpoint.ts'
import * as contract from '@kinora/contract/videos/studio.ts'
import type { ChannelRole } from '@kinora/contract/channel-roles.ts'
import type { WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { readForm } from '@kinora/platform/http/bodies/form.ts'
import { picturesPace } from '@kinora/platform/http/bodies/receive-body.ts'
import { disconnectSignal } from '@kinora/platform/http/routing/disconnect-signal.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { pictureSender } from '../../pictures/rules.ts'
import { assertStillHasRole, recordActivity, recordDeletions } from '../collaborators/actions.ts'
import { requireFile } from '../uploads/rules.ts'
import { deleteOwnVideo } from '../video-deletion/actions/delete-video.ts'
import { getChannelNumbers } from '../videos/actions/channel-numbers.ts'
import { listChannelVideos } from '../videos/queries/list-videos.ts'
import { changeVideo, type VideoChanges } from '../videos/actions/change-visibility.ts'
import { chooseThumbnailFrame, forEachVideo, replaceOwnThumbnail } from './actions.ts'
import { getVideoOf, listVideosOf } from './queries.ts'
import { uploadSlots } from '../uploads/limits.ts'

const toChanges = ({ publishAt, ...changes }: BodyOf<typeof contract.changeOwnVideo>): VideoChanges => ({
  ...changes,
  publishAt: publishAt === undefined ? undefined : new Date(publishAt),
})

const recordChange = (context: WebContext, channel: { id: string }, user: { id: string }, videoId: string) =>
  recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'video_changed', videoId })

/** Repeats the check of a role in the transaction that writes: somebody may have been removed since the request began. */
const stillWorks =
  (user: { id: string }, channel: { id: string }, least: ChannelRole = 'editor') =>
  (transaction: Db) =>
    assertStillHasRole(transaction, user.id, channel.id, least)

export const studioRoutes = [
  route(contract.getDashboard, async ({ user }, context: WebContext) => {
    const [numbers, own] = await Promise.all([
      getChannelNumbers(context, user.id),
      listChannelVideos(context.db, user.id, toPageRequest({}), 'dashboard'),
    ])
    return { ...numbers, userVideos: own.items, nextCursor: own.nextCursor }
  }),

  route(contract.listOwnVideos, ({ query, channel }, { db }: WebContext) =>
    listVideosOf(db, channel.id, query),
  ),

  route(contract.getOwnVideo, ({ params, channel }, { db }: WebContext) =>
    getVideoOf(db, channel.id, params.id),
  ),

  route(
    contract.changeOwnVideo,
    { clears: ['videos'] },
    async ({ params, body, channel, user }, context: WebContext) => {
      await changeVideo(context, params.id, channel.id, toChanges(body), stillWorks(user, channel))
      await recordChange(context, channel, user, params.id)
      return getVideoOf(context.db, channel.id, params.id)
    },
  ),

  route(
    contract.changeOwnVideos,
    { clears: ['videos'] },
    ({ body: { videos }, channel, user }, context: WebContext) =>
      forEachVideo(context, videos, async ({ _id, ...changes }) => {
        await changeVideo(context, _id, channel.id, toChanges(changes), stillWorks(user, channel))
        await recordChange(context, channel, user, _id)
      }),
  ),

  route(
    contract.deleteOwnVideos,
    { clears: ['videos'] },
    ({ body: { ids }, channel, user }, context: WebContext) =>
      recordDeletions(context, { channelId: channel.id, actorId: user.id, ids }, () =>
        forEachVideo(
          context,
          ids.map((_id) => ({ _id })),
          ({ _id }) => deleteOwnVideo(context, _id, channel.id, stillWorks(user, channel, 'manager')),
        ),
      ),
  ),

  route(
    contract.replaceThumbnail,
    { clears: ['videos'] },
    async ({ params, user, channel, request }, context: WebContext) => {
      const { config } = context
      await using form = await readForm(request, {
        directory: path.join(config.dataDir, 'incoming'),
        maxBytes: { thumbnail: config.pictureMaxBytes },
        idleSeconds: config.uploadIdleSeconds,
        pace: picturesPace,
      })
      const { path: file } = requireFile(form.files, 'thumbnail')
      const sender = pictureSender(request.ip, user.id)
      await replaceOwnThumbnail({ ...context, sender }, params.id, channel.id, file, {
        alsoCheck: stillWorks(user, channel),
      })
      await recordChange(context, channel, user, params.id)
      return await getVideoOf(context.db, channel.id, params.id)
    },
  ),

  route(
    contract.chooseThumbnailFrame,
    { clears: ['videos'] },
    async ({ params, body, user, channel, request, reply }, context: WebContext) => {
      // decoding costs as much as inspecting an upload
      await using _ = await context.limits.of(uploadSlots).take(user.id)
      const sender = pictureSender(request.ip, user.id)
      const signal = disconnectSignal(reply)
      await chooseThumbnailFrame(
        { ...context, sender, signal },
        params.id,
        channel.id,
        body.seconds,
        stillWorks(user, channel),
      )
      await recordChange(context, channel, user, params.id)
      return await getVideoOf(context.db, channel.id, params.id)
    },
  ),
]
