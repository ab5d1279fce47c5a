import * as contract from '@kinora/contract/videos/intros.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { withOwnVideo } from '../captions/actions/change-captions.ts'
import { assertStillHasRole, recordActivity } from '../collaborators/actions.ts'
import { assertOwnVideo } from '../videos/actions/change-video.ts'
import { updatePlaysIntros } from '../videos/queries/videos.ts'
import { putIntros } from './actions.ts'
import * as queries from './queries.ts'

export const introRoutes = [
  route(contract.getChannelIntros, ({ channel }, { db }: WebContext) =>
    queries.getChannelIntros(db, channel.id),
  ),

  route(
    contract.putChannelIntros,
    { clears: ['videos'] },
    async ({ body, channel, user }, context: WebContext) => {
      const intros = await context.db.transaction().execute(async (transaction) => {
        await assertStillHasRole(transaction, user.id, channel.id, 'manager')
        await putIntros(transaction, channel.id, body)
        return queries.getChannelIntros(transaction, channel.id)
      })
      await recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'channel_changed' })
      return intros
    },
  ),

  route(contract.getVideoIntros, async ({ params, channel }, { db }: WebContext) => {
    await assertOwnVideo(db, params.id, channel.id)
    return queries.getVideoIntros(db, params.id)
  }),

  route(
    contract.putVideoIntros,
    { clears: ['videos'] },
    async ({ params, body, channel, user }, context: WebContext) => {
      const video = { videoId: params.id, userId: channel.id, actorId: user.id }
      const intros = await withOwnVideo(context.db, video, async (own) => {
        await updatePlaysIntros(own, params.id, body.isOn)
        return queries.getVideoIntros(own, params.id)
      })
      const activity = { channelId: channel.id, actorId: user.id, action: 'video_changed' } as const
      await recordActivity(context, { ...activity, videoId: params.id })
      return intros
    },
  ),
]
