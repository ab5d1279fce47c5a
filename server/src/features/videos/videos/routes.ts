import { getDashboard, listChannelVideos } from '@kinora/contract/accounts/users.ts'
import {
  browseVideos,
  followProcessing,
  getVideo,
  listVideos,
  recordView,
  updateVideo,
} from '@kinora/contract/videos/videos.ts'
import type { WebContext } from '../../../context/context.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { addressKey, networkKey } from '@kinora/platform/http/limits/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { readCredential } from '@kinora/platform/http/security/api-token.ts'
import { onUnread } from '../../messages/notifications/actions.ts'
import { countUnread } from '../../messages/notifications/queries/notifications.ts'
import { onSessionEnd } from '../../accounts/sessions/actions.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import { audienceOf } from '../../visibility/queries.ts'
import { getChannelNumbers } from './actions/channel-numbers.ts'
import { updateOwnVideo } from './actions/change-video.ts'
import { addView, takeView } from './actions/count-views.ts'
import { onProcessing } from './actions/follow-processing.ts'
import { listUnready } from './queries/processing.ts'
import * as videos from './queries/videos.ts'
import { eventStreamSlots } from './limits.ts'

export const videoRoutes = [
  route(
    listVideos,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    ({ query, user }, { db }: WebContext) => videos.listVideos(db, toPageRequest(query), audienceOf(user)),
  ),

  route(
    browseVideos,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    ({ query, user }, { db }: WebContext) => {
      const { tag, category } = query
      if (tag === undefined && category === undefined)
        throw new AppError('invalid', 'Send a tag or a category', {
          errors: [{ path: 'tag', message: 'Send a tag or a category' }],
        })
      return videos.listMatchingVideos(db, { tag, category }, toPageRequest(query), audienceOf(user))
    },
  ),

  route(
    getVideo,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    async ({ params, user }, { db }: WebContext) => [await videos.getVideo(db, params.id, user?.id ?? null)],
  ),

  route(
    recordView,
    { clears: ['counts'], isAudited: false },
    async ({ params, user, request }, context: WebContext) => {
      const viewer = {
        userId: user?.id,
        address: addressKey(request.ip),
        network: networkKey(request.ip),
        agent: request.headers['user-agent'] ?? '',
      }
      if (await takeView(context, params.id, viewer)) await addView(context, params.id, user?.id)
      else await videos.getVideo(context.db, params.id, user?.id ?? null)
      return null
    },
  ),

  route(followProcessing, async ({ user, request, stream }, context: WebContext) => {
    await using _slot = await context.limits.of(eventStreamSlots).take(user.id)
    const token = readCredential(request) ?? ''
    using _session = await onSessionEnd(context, { token, userId: user.id }, () => stream.end())
    using _changes = await onProcessing(
      context,
      user.id,
      (change) => stream.send('processing', change),
      // the client reconnects and gets the current state
      () => stream.end(),
    )
    using _notifications = await onUnread(context, user.id, (unread) =>
      stream.send('notifications', { unread }),
    )
    stream.start()
    // after subscribing, otherwise a change in between would be missed
    for (const video of await listUnready(context.db, user.id)) stream.send('processing', video)
    stream.send('notifications', { unread: await countUnread(context.db, user.id) })
    await stream.ended
    return null
  }),

  route(updateVideo, { clears: ['videos'] }, ({ params, body, user }, context: WebContext) =>
    updateOwnVideo(context, params.id, user.id, body),
  ),

  route(listChannelVideos, async ({ params, query, user }, { db }: WebContext) => {
    const page = toPageRequest(query)
    const ownerId = await getUserId(db, params.username)
    const { items, nextCursor } = await videos.listVideosOfOwner(db, ownerId, page, user)
    return { userVideos: items, nextCursor }
  }),

  route(getDashboard, async ({ user }, context: WebContext) => {
    const [numbers, own] = await Promise.all([
      getChannelNumbers(context, user.id),
      videos.listVideosOfOwner(context.db, user.id, toPageRequest({}), 'dashboard'),
    ])
    return { ...numbers, userVideos: own.items, nextCursor: own.nextCursor }
  }),
]
