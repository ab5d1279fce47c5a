import {
  defaultHistoryLimit,
  getPosition,
  getWatchHistory,
  putPosition,
  updateHistory,
} from '@kinora/contract/history.ts'
import type { WebContext } from '../../context.ts'
import { toPageRequest } from '../../platform/db/cursor.ts'
import { nothing, route } from '../../platform/http/routing/route.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import * as queries from './queries.ts'

export const historyRoutes = [
  route(
    updateHistory,
    { changes: nothing, isAudited: false },
    async ({ params, user }, { db }: WebContext) => {
      const isKnown = await queries.putWatched(db, user.id, params.videoId)
      if (!isKnown) throw videoNotFound()
      return null
    },
  ),

  route(getWatchHistory, async ({ query, user }, { db }: WebContext) => {
    const page = toPageRequest(query, defaultHistoryLimit)
    const { items, nextCursor } = await queries.listWatched(db, user.id, page)
    return { watchHistory: items, nextCursor }
  }),

  route(getPosition, async ({ params, user }, { db }: WebContext) => {
    const positionSeconds = await queries.findPosition(db, user.id, params.videoId)
    if (positionSeconds === undefined) throw videoNotFound()
    return { positionSeconds }
  }),

  route(
    putPosition,
    { changes: nothing, isAudited: false },
    async ({ params, body, user }, { db }: WebContext) => {
      const isKnown = await queries.putPosition(db, user.id, params.videoId, body.positionSeconds)
      if (!isKnown) throw videoNotFound()
      return null
    },
  ),
]
