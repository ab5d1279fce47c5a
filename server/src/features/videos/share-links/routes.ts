import * as contract from '@kinora/contract/videos/share-links.ts'
import type { FastifyRequest } from 'fastify'
import { addressKey, networkKey } from '@kinora/platform/client-address.ts'
import { route, type Viewer } from '@kinora/platform/http/routing/route.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { WebContext } from '../../../context/context.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import { audienceOf } from '../../visibility/queries.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import { findLockedVideo, listLockedVideos } from './queries/locked-videos.ts'
import { recordActivity } from '../collaborators/actions.ts'
import { addView, takeView } from '../videos/actions/count-views.ts'
import { addShareLink, getVideoOfVisit, listLinksTo, openLink, ownVideo, revokeShareLink } from './actions.ts'

const senderOf = ({ ip }: FastifyRequest) => ({ address: addressKey(ip), network: networkKey(ip) })

const lockedFor = (
  user: Viewer | null,
  { clock, siteSettings }: Pick<WebContext, 'clock' | 'siteSettings'>,
) => ({
  viewerId: user?.id ?? null,
  audience: audienceOf(user, siteSettings.current),
  now: clock.now(),
})

const recordLinks = (context: WebContext, channel: { id: string }, user: { id: string }, videoId: string) =>
  recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'share_links_changed', videoId })

export const shareLinkRoutes = [
  route(contract.listShareLinks, ({ params, channel, user }, { db }: WebContext) =>
    listLinksTo(ownVideo(db, params.id, channel.id, user.id)),
  ),

  route(
    contract.createShareLink,
    { clears: [] },
    async ({ params, body, channel, user }, context: WebContext) => {
      const video = ownVideo(context.db, params.id, channel.id, user.id)
      const link = await addShareLink(context, video, body)
      await recordLinks(context, channel, user, params.id)
      return link
    },
  ),

  route(contract.deleteShareLink, { clears: [] }, async ({ params, channel, user }, context: WebContext) => {
    await revokeShareLink(ownVideo(context.db, params.id, channel.id, user.id), params.linkId)
    await recordLinks(context, channel, user, params.id)
    return null
  }),

  route(contract.openShareLink, { clears: [], isAudited: false }, ({ body, request }, context: WebContext) =>
    openLink(context, { secret: body.secret }, body, senderOf(request)),
  ),

  route(contract.listLockedVideos, async ({ query, user }, context: WebContext) => {
    const { username } = query
    const channelId = username === undefined ? undefined : await getUserId(context.db, username)
    return listLockedVideos(context.db, lockedFor(user, context), {
      channelId,
      page: toPageRequest(query, 50),
    })
  }),

  route(contract.getLockedVideo, async ({ params, user }, context: WebContext) => {
    const video = await findLockedVideo(context.db, lockedFor(user, context), params.id)
    if (!video) throw videoNotFound()
    return video
  }),

  route(
    contract.openLockedVideo,
    { clears: [], isAudited: false },
    ({ params, body, request }, context: WebContext) =>
      openLink(context, { lockedId: params.id }, body, senderOf(request)),
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
