import * as contract from '@kinora/contract/videos/embeds.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { withOwnVideo } from '../captions/actions/change-captions.ts'
import { findVideoPolicy, getChannelPolicy, putChannelPolicy, putVideoPolicy } from './queries.ts'

export const embedRoutes = [
  route(contract.getVideoEmbeds, ({ params, user }, { db }: WebContext) =>
    withOwnVideo(db, { videoId: params.id, userId: user.id }, async (own) => ({
      own: (await findVideoPolicy(own, params.id)) ?? null,
      channel: await getChannelPolicy(own, user.id),
    })),
  ),

  route(contract.putVideoEmbeds, { clears: ['videos'] }, ({ params, body, user }, { db }: WebContext) =>
    withOwnVideo(db, { videoId: params.id, userId: user.id }, async (own) => {
      await putVideoPolicy(own, params.id, body.own)
      return { own: body.own, channel: await getChannelPolicy(own, user.id) }
    }),
  ),

  route(contract.getChannelEmbeds, ({ user }, { db }: WebContext) => getChannelPolicy(db, user.id)),

  route(contract.putChannelEmbeds, { clears: ['videos'] }, async ({ body, user }, { db }: WebContext) => {
    await putChannelPolicy(db, user.id, body)
    return body
  }),
]
