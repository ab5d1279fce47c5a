import * as contract from '@kinora/contract/videos/share-links.ts'
import type { FastifyRequest } from 'fastify'
import { addressKey, networkKey } from '@kinora/platform/http/limits/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { WebContext } from '../../../context/context.ts'
import { addView, takeView } from '../videos/actions/count-views.ts'
import { addShareLink, getVideoOfVisit, listLinksTo, openLink, ownVideo, revokeShareLink } from './actions.ts'

const senderOf = ({ ip }: FastifyRequest) => ({ address: addressKey(ip), network: networkKey(ip) })

export const shareLinkRoutes = [
  route(contract.listShareLinks, ({ params, channel }, { db }: WebContext) =>
    listLinksTo(ownVideo(db, params.id, channel.id)),
  ),

  route(contract.createShareLink, { clears: [] }, ({ params, body, channel }, context: WebContext) =>
    addShareLink(context, ownVideo(context.db, params.id, channel.id), body),
  ),

  route(contract.deleteShareLink, { clears: [] }, async ({ params, channel }, { db }: WebContext) => {
    await revokeShareLink(ownVideo(db, params.id, channel.id), params.linkId)
    return null
  }),

  route(contract.openShareLink, { clears: [], isAudited: false }, ({ body, request }, context: WebContext) =>
    openLink(context, body, senderOf(request)),
  ),

  route(
    contract.recordSharedView,
    { clears: ['counts'], isAudited: false },
    async ({ body, request }, context: WebContext) => {
      const visit = { tokenHash: hashOfToken(body.visit), now: context.clock.now() }
      const videoId = await getVideoOfVisit(context.db, visit, body.videoId)
      const viewer = { ...senderOf(request), userId: undefined, agent: request.headers['user-agent'] ?? '' }
      if (await takeView(context, videoId, viewer)) await addView(context, videoId, visit)
      return null
    },
  ),
]
