import {
  clearHistory,
  defaultHistoryLimit,
  getHistoryState,
  getPosition,
  getWatchHistory,
  listHistory,
  listPositions,
  putHistoryState,
  putPosition,
  removeFromHistory,
  updateHistory,
} from '@kinora/contract/watching/history.ts'
import type { WebContext } from '../../../context/context.ts'
import { toPageRequest } from '@kinora/platform/db/cursor.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { deleteReferencesOfFile } from '../../videos/imported-references/queries.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import * as queries from './queries.ts'

export const historyRoutes = [
  route(updateHistory, { clears: [], isAudited: false }, async ({ params, user }, { db }: WebContext) => {
    const isKnown = await queries.putWatched(db, user.id, params.videoId)
    if (!isKnown) throw videoNotFound()
    return null
  }),

  route(getWatchHistory, async ({ query, user }, { db }: WebContext) => {
    const page = toPageRequest(query, defaultHistoryLimit)
    const { items, nextCursor } = await queries.listWatched(db, user.id, page)
    return { watchHistory: items, nextCursor }
  }),

  route(listHistory, async ({ query, user }, { db }: WebContext) => {
    const words = (query.text ?? '').split(/\s+/).filter(Boolean)
    const filter = { words, isUnfinished: query.unfinished === 'true' }
    return queries.listHistory(db, user.id, filter, toPageRequest(query))
  }),

  route(clearHistory, { clears: [] }, async ({ user }, { db }: WebContext) => {
    await queries.deleteHistory(db, user.id)
    await deleteReferencesOfFile(db, user.id, 'history.json')
    return null
  }),

  route(removeFromHistory, { clears: [], isAudited: false }, async ({ params, user }, { db }: WebContext) => {
    if (!(await queries.deleteWatched(db, user.id, params.videoId))) throw videoNotFound()
    return null
  }),

  route(getHistoryState, async ({ user }, { db }: WebContext) => ({
    isPaused: await queries.isHistoryPaused(db, user.id),
  })),

  route(putHistoryState, { clears: [], isAudited: false }, async ({ body, user }, { db }: WebContext) => {
    await queries.putHistoryPaused(db, user.id, body.isPaused)
    return body
  }),

  route(listPositions, async ({ query, user }, { db }: WebContext) =>
    queries.listPositions(db, user.id, query.finished === 'true'),
  ),

  route(getPosition, async ({ params, user }, { db }: WebContext) => {
    const positionSeconds = await queries.findPosition(db, user.id, params.videoId)
    if (positionSeconds === undefined) throw videoNotFound()
    return { positionSeconds }
  }),

  route(putPosition, { clears: [], isAudited: false }, async ({ params, body, user }, { db }: WebContext) => {
    const isKnown = await queries.putPosition(db, user.id, params.videoId, body)
    if (!isKnown) throw videoNotFound()
    return null
  }),
]
