import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import * as contract from '@kinora/contract/watching/recommendations.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import { audienceOf } from '../../visibility/queries.ts'
import * as queries from './queries.ts'
import { mixCandidates } from './rules.ts'
import { writeLimit } from '../../../context/limits.ts'

export const recommendationRoutes = [
  route(
    contract.listRecommendations,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    async ({ params, user }, { db, siteSettings }: WebContext) => {
      const seed = await queries.getSeed(db, params.videoId, user?.id ?? null)
      const audience = audienceOf(user, siteSettings.current)
      return mixCandidates(await queries.listCandidates(db, params.videoId, seed, audience))
    },
  ),

  route(contract.listDismissed, async ({ user }, { db }: WebContext) => {
    const [videoIds, channels] = await Promise.all([
      queries.listDismissedVideos(db, user.id),
      queries.listDismissedChannels(db, user.id),
    ])
    return { videoIds, channels }
  }),

  route(contract.listDismissedVideos, ({ user }, { db }: WebContext) =>
    queries.showDismissedVideos(db, user.id),
  ),

  route(
    contract.dismissVideo,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      if (!(await queries.dismissVideo(db, user.id, params.videoId))) throw videoNotFound()
      return null
    },
  ),

  route(
    contract.restoreVideo,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      if (!(await queries.restoreVideo(db, user.id, params.videoId)))
        throw new AppError(watchingErrors.notDismissed)
      return null
    },
  ),

  route(
    contract.dismissChannel,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      await queries.dismissChannel(db, user.id, await getUserId(db, params.username))
      return null
    },
  ),

  route(
    contract.restoreChannel,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      await queries.restoreChannel(db, user.id, await getUserId(db, params.username))
      return null
    },
  ),
]
