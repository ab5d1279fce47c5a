import { videoErrors } from '@kinora/contract/videos/errors.ts'
import {
  listChannelVideos,
  browseVideos,
  getVideo,
  listCategories,
  listPopularVideos,
  listVideos,
  popularShown,
  recordView,
  updateVideo,
} from '@kinora/contract/videos/videos.ts'
import type { WebContext } from '../../../context/context.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { addressKey, networkKey } from '@kinora/platform/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import { audienceOf, audienceOnChannel } from '../../visibility/queries.ts'
import { recordActivity } from '../collaborators/actions.ts'
import { updateOwnVideo } from './actions/change-video.ts'
import { addView, takeView } from './actions/count-views.ts'
import * as lists from './queries/list-videos.ts'
import * as videos from './queries/videos.ts'

export const videoRoutes = [
  route(
    listVideos,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    ({ query, user }, { db, siteSettings }: WebContext) =>
      lists.listVideos(db, toPageRequest(query), audienceOf(user, siteSettings.current)),
  ),

  route(
    browseVideos,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    ({ query, user }, { db, siteSettings }: WebContext) => {
      const { tag, category } = query
      if (tag === undefined && category === undefined)
        throw new AppError(videoErrors.tagOrCategory, {
          path: 'tag',
        })
      return lists.listMatchingVideos(
        db,
        { tag, category },
        toPageRequest(query),
        audienceOf(user, siteSettings.current),
      )
    },
  ),

  route(
    listPopularVideos,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    ({ user }, { db, siteSettings }: WebContext) =>
      lists.listPopularVideos(db, popularShown, audienceOf(user, siteSettings.current)),
  ),

  route(
    listCategories,
    { cacheTags: ['videos'], isSharedByMembers: true },
    ({ user }, { db, siteSettings }: WebContext) =>
      lists.listCategories(db, audienceOf(user, siteSettings.current)),
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

  route(updateVideo, { clears: ['videos'] }, async ({ params, body, user }, context: WebContext) => {
    const video = await updateOwnVideo(context, params.id, user.id, body)
    const activity = { channelId: user.id, actorId: user.id, videoId: params.id }
    await recordActivity(context, { ...activity, action: 'video_changed' })
    return video
  }),

  route(listChannelVideos, async ({ params, query, user }, { db, siteSettings }: WebContext) => {
    const page = toPageRequest(query)
    const ownerId = await getUserId(db, params.username)
    const { items, nextCursor } = await lists.listChannelVideos(
      db,
      ownerId,
      page,
      user,
      audienceOnChannel(user, ownerId, siteSettings.current),
    )
    return { userVideos: items, nextCursor }
  }),
]
