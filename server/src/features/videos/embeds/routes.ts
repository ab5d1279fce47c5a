import * as contract from '@kinora/contract/videos/embeds.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { assertStillHasRole, recordActivity } from '../collaborators/actions.ts'
import { withOwnVideo } from '../captions/actions/change-captions.ts'
import { findVideoPolicy, getChannelPolicy, putChannelPolicy, putVideoPolicy } from './queries.ts'

export const embedRoutes = [
  route(contract.getVideoEmbeds, ({ params, channel }, { db }: WebContext) =>
    withOwnVideo(db, { videoId: params.id, userId: channel.id }, async (own) => ({
      own: (await findVideoPolicy(own, params.id)) ?? null,
      channel: await getChannelPolicy(own, channel.id),
    })),
  ),

  route(
    contract.putVideoEmbeds,
    { clears: ['videos'] },
    async ({ params, body, channel, user }, context: WebContext) => {
      const video = { videoId: params.id, userId: channel.id, actorId: user.id }
      const policies = await withOwnVideo(context.db, video, async (own) => {
        await putVideoPolicy(own, params.id, body.own)
        return { own: body.own, channel: await getChannelPolicy(own, channel.id) }
      })
      const activity = { channelId: channel.id, actorId: user.id, action: 'embeds_changed' } as const
      await recordActivity(context, { ...activity, videoId: params.id })
      return policies
    },
  ),

  route(contract.getChannelEmbeds, ({ channel }, { db }: WebContext) => getChannelPolicy(db, channel.id)),

  route(
    contract.putChannelEmbeds,
    { clears: ['videos'] },
    async ({ body, channel, user }, context: WebContext) => {
      await context.db.transaction().execute(async (transaction) => {
        await assertStillHasRole(transaction, user.id, channel.id, 'manager')
        await putChannelPolicy(transaction, channel.id, body)
      })
      await recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'channel_changed' })
      return body
    },
  ),
]
