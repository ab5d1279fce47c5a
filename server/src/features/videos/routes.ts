import { getDashboard, listChannelVideos } from '@kinora/contract/users.ts'
import {
  deleteVideo,
  followProcessing,
  getVideo,
  listVideos,
  recordView,
  updateVideo,
} from '@kinora/contract/videos.ts'
import type { Context } from '../../context.ts'
import { toPageRequest } from '../../platform/db/cursor.ts'
import { addressKey } from '../../platform/http/rate-limit.ts'
import { route } from '../../platform/http/route.ts'
import { readSessionToken } from '../../platform/http/session-cookie.ts'
import { onSessionEnd } from '../sessions/actions.ts'
import { getUserId } from '../users/queries.ts'
import { addView, deleteOwnVideo, onProcessing, updateOwnVideo } from './actions.ts'
import * as queries from './queries.ts'

const dashboardDays = 28

export const videoRoutes = [
  route(listVideos, { keep: () => [] }, ({ query }, { db }: Context) =>
    queries.listVideos(db, toPageRequest(query)),
  ),

  route(getVideo, { keep: () => [] }, async ({ params }, { db }: Context) => [
    await queries.getVideo(db, params.id),
  ]),

  route(recordView, { changes: () => 'raised' }, async ({ params, request }, context: Context) => {
    const isCounted = context.limits.views.take(addressKey(request.ip)) === 0
    if (isCounted) await addView(context, params.id)
    else await queries.getVideo(context.db, params.id)
    return null
  }),

  route(followProcessing, async ({ user, request, stream }, context: Context) => {
    await using _slot = await context.limits.eventStreams.take(user.id)
    const token = readSessionToken(request) ?? ''
    using _session = await onSessionEnd(context, { token, userId: user.id }, () => stream.end())
    using _changes = await onProcessing(context, user.id, (change) => stream.send('processing', change))
    stream.start()
    // after listening, or a change in between would be missed
    for (const video of await queries.listUnready(context.db, user.id)) stream.send('processing', video)
    await stream.ended
    return null
  }),

  route(updateVideo, ({ params, body, user }, context: Context) =>
    updateOwnVideo(context, params.id, user.id, body),
  ),

  route(deleteVideo, async ({ params, user }, context: Context) => {
    await deleteOwnVideo(context, params.id, user.id)
    return null
  }),

  route(listChannelVideos, async ({ params, query }, { db }: Context) => {
    const page = toPageRequest(query)
    const ownerId = await getUserId(db, params.username)
    const { items, nextCursor } = await queries.listVideosOfOwner(db, ownerId, page)
    return { userVideos: items, nextCursor }
  }),

  route(getDashboard, async ({ user }, { db, clock }: Context) => {
    const [totals, videos, viewsByDay] = await Promise.all([
      queries.getTotals(db, user.id),
      queries.listVideosOfOwner(db, user.id, toPageRequest({}), { withTakenDown: true }),
      queries.listViewsByDay(db, user.id, clock.now(), dashboardDays),
    ])
    return { ...totals, userVideos: videos.items, nextCursor: videos.nextCursor, viewsByDay }
  }),
]
