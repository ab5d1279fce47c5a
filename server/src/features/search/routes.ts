import { searchVideos } from '@kinora/contract/search.ts'
import type { WebContext } from '../../context.ts'
import { defaultLimit } from '../../platform/db/cursor.ts'
import { addressKey } from '../../platform/http/limits/client-address.ts'
import { route } from '../../platform/http/routing/route.ts'
import { understand } from './actions.ts'
import { listResults, listTitlesWith } from './queries.ts'
import { decodeSearchCursor, signsOf } from './rules.ts'

export const searchRoutes = [
  route(searchVideos, { keep: () => [] }, async ({ params, query, request }, { db, limits }: WebContext) => {
    const cursor = decodeSearchCursor(query.cursor)
    const limit = query.limit ?? defaultLimit
    const address = addressKey(request.ip)
    limits.searches.demand(address)
    return limits.searchesAtOnce.run(address, async () => {
      const signs = signsOf(params.term)
      if (signs !== undefined) return listTitlesWith(db, signs, cursor, limit)
      const plan = await understand(db, params.term)
      return listResults(db, params.term, plan, cursor, limit)
    })
  }),
]
