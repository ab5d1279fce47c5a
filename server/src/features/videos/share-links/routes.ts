import * as contract from '@kinora/contract/videos/share-links.ts'
import { addressKey, networkKey } from '@kinora/platform/http/limits/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { WebContext } from '../../../context/context.ts'
import { addView, takeView } from '../videos/actions/count-views.ts'
import { addShareLink, listShareLinks, openLink, revokeShareLink } from './actions.ts'

export const shareLinkRoutes = [
  route(contract.listShareLinks, ({ params, channel }, context: WebContext) =>
    listShareLinks(context, { videoId: params.id, userId: channel.id }),
  ),

  route(contract.createShareLink, { clears: [] }, ({ params, body, channel }, context: WebContext) =>
    addShareLink(context, { videoId: params.id, userId: channel.id }, body),
  ),

  route(contract.deleteShareLink, { clears: [] }, async ({ params, channel }, context: WebContext) => {
    await revokeShareLink(context, { videoId: params.id, userId: channel.id }, params.linkId)
    return null
  }),

  route(
    contract.openShareLink,
    { clears: ['counts'], isAudited: false },
    async ({ body, request }, context: WebContext) => {
      const from = { address: addressKey(request.ip), network: networkKey(request.ip) }
      const opened = await openLink(context, body, from)
      const { visit, video } = opened
      const agent = request.headers['user-agent'] ?? ''
      if (await takeView(context, video._id, { ...from, userId: undefined, agent }))
        await addView(context, video._id, { tokenHash: hashOfToken(visit), now: context.clock.now() })
      return opened
    },
  ),
]
