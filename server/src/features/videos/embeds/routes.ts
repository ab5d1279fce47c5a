import * as contract from '@kinora/contract/videos/embeds.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { withOwnVideo } from '../captions/actions/change-captions.ts'
import { findVideoPolicy, getChannelPolicy, putChannelPolicy, putVideoPolicy } from './queries.ts'

export const embedRoutes = [
  route(contract.getVideoEmbeds, ({ params, channel }, { db }: WebContext) =>
    withOwnVideo(db, { videoId: params.id, userId: channel.id }, async (own) => ({
      own: (await findVideoPolicy(own, params.id)) ?? null,
      channel: await getChannelPolicy(own, channel.id),
    })),
  ),

  route(contract.putVideoEmbeds, { clears: ['videos'] }, ({ params, body, channel }, { db }: WebContext) =>
    withOwnVideo(db, { videoId: params.id, userId: channel.id }, async (own) => {
      await putVideoPolicy(own, params.id, body.own)
      return { own: body.own, channel: await getChannelPolicy(own, channel.id) }
    }),
  ),

  route(contract.getChannelEmbeds, ({ channel }, { db }: WebContext) => getChannelPolicy(db, channel.id)),

  route(contract.putChannelEmbeds, { clears: ['videos'] }, async ({ body, channel }, { db }: WebContext) => {
    await putChannelPolicy(db, channel.id, body)
    return body
  }),
]
