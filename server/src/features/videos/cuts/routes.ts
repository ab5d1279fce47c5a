import * as contract from '@kinora/contract/videos/cuts.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { recordActivity } from '../collaborators/actions.ts'
import { beginDeletion, stopDeletion } from './actions/delete-removed.ts'
import { getOwnCut, publishCut } from './actions/publish-cut.ts'

const recordCut = (context: WebContext, channel: { id: string }, user: { id: string }, videoId: string) =>
  recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'video_changed', videoId })

const ownVideo = (videoId: string, channel: { id: string }, user: { id: string }) => ({
  videoId,
  userId: channel.id,
  actorId: user.id,
})

export const cutRoutes = [
  route(contract.getCut, ({ params, channel }, context: WebContext) =>
    getOwnCut(context, { videoId: params.id, userId: channel.id }),
  ),

  route(
    contract.putCut,
    { clears: ['videos'] },
    async ({ params, body, channel, user }, context: WebContext) => {
      const cut = await publishCut(context, ownVideo(params.id, channel, user), {
        ranges: body.keep,
        seenAt: body.changedAt,
      })
      await recordCut(context, channel, user, params.id)
      return cut
    },
  ),

  route(
    contract.deleteCut,
    { clears: ['videos'] },
    async ({ params, query, channel, user }, context: WebContext) => {
      const cut = await publishCut(context, ownVideo(params.id, channel, user), {
        ranges: null,
        seenAt: query.changedAt,
      })
      await recordCut(context, channel, user, params.id)
      return cut
    },
  ),

  route(
    contract.deleteRemovedParts,
    { clears: [] },
    async ({ params, body, channel, user }, context: WebContext) => {
      const publishedAt = new Date(body.publishedAt)
      const cut = await beginDeletion(context, ownVideo(params.id, channel, user), publishedAt)
      await recordCut(context, channel, user, params.id)
      return cut
    },
  ),

  route(contract.keepRemovedParts, { clears: [] }, ({ params, channel, user }, context: WebContext) =>
    stopDeletion(context, ownVideo(params.id, channel, user)),
  ),
]
