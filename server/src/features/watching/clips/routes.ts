import * as contract from '@kinora/contract/watching/clips.ts'
import type { WebContext } from '../../../context/context.ts'
import { writeLimit } from '../../../context/limits.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { updateClipsAllowed as updateChannelPolicy } from '../../accounts/users/queries.ts'
import { withOwnVideo } from '../../videos/captions/actions/change-captions.ts'
import { assertStillHasRole, recordActivity } from '../../videos/collaborators/actions.ts'
import { assertOwnVideo } from '../../videos/videos/actions/change-video.ts'
import { updateClipsAllowed as updatePolicy } from '../../videos/videos/queries/videos.ts'
import * as actions from './actions.ts'
import { listClipsBy, listClipsOfChannel } from './queries/clips.ts'
import { getChannelPolicy, getPolicy } from './queries/policies.ts'
import { toAllowed } from './rules.ts'

/** Clips of a page. */
const clipsPerPage = 50

export const clipRoutes = [
  route(contract.createClip, { clears: ['clips'] }, async ({ body, user }, context: WebContext) => {
    context.limits.of(writeLimit).assertAllowed(user.id)
    return actions.createClip(context, { ...body, userId: user.id }, context.siteSettings.current)
  }),

  route(contract.getClip, ({ params, user }, { db }: WebContext) =>
    actions.getClip(db, params.clipId, user?.id ?? null),
  ),

  route(
    contract.renameClip,
    { clears: ['clips'] },
    ({ params, body, user }, { db, limits, siteSettings }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      return actions.renameClip(db, { ...params, ...body, userId: user.id }, siteSettings.current)
    },
  ),

  route(contract.deleteClip, { clears: ['clips'] }, async ({ params, user }, context: WebContext) => {
    await actions.removeClip(context, params.clipId, user.id)
    return null
  }),

  route(contract.listOwnClips, ({ query, user }, { db }: WebContext) =>
    listClipsBy(db, user.id, toPageRequest(query, clipsPerPage)),
  ),

  route(contract.listReceivedClips, ({ query, channel }, { db }: WebContext) =>
    listClipsOfChannel(db, channel.id, toPageRequest(query, clipsPerPage)),
  ),

  route(contract.getClipPolicy, async ({ params, channel }, { db }: WebContext) => {
    await assertOwnVideo(db, params.id, channel.id)
    return getPolicy(db, params.id)
  }),

  route(
    contract.putClipPolicy,
    { clears: ['videos'] },
    async ({ params, body, channel, user }, context: WebContext) => {
      const video = { videoId: params.id, userId: channel.id, actorId: user.id }
      const policy = await withOwnVideo(context.db, video, async (own) => {
        await updatePolicy(own, params.id, toAllowed(body.clips))
        return getPolicy(own, params.id)
      })
      const activity = { channelId: channel.id, actorId: user.id, action: 'video_changed' } as const
      await recordActivity(context, { ...activity, videoId: params.id })
      return policy
    },
  ),

  route(contract.getChannelClipPolicy, async ({ channel }, { db }: WebContext) => ({
    clips: await getChannelPolicy(db, channel.id),
  })),

  route(
    contract.putChannelClipPolicy,
    { clears: ['videos'] },
    async ({ body, channel, user }, context: WebContext) => {
      await context.db.transaction().execute(async (transaction) => {
        await assertStillHasRole(transaction, user.id, channel.id, 'manager')
        await updateChannelPolicy(transaction, channel.id, toAllowed(body.clips))
      })
      await recordActivity(context, { channelId: channel.id, actorId: user.id, action: 'channel_changed' })
      return body
    },
  ),
]
