import { searchVideos } from '@kinora/contract/search.ts'
import type { WebContext } from '../../context.ts'
import { defaultLimit } from '../../platform/db/cursor.ts'
import { addressKey } from '../../platform/http/limits/client-address.ts'
import { route } from '../../platform/http/routing/route.ts'
import { audienceOf } from '../visibility/queries.ts'
import { planSearchFor } from './actions.ts'
import { listResults, listTitlesWith } from './queries.ts'
import { decodeSearchCursor, signsOf } from './rules.ts'

export const searchRoutes = [
  route(
    searchVideos,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    async ({ params, query, request, user }, { db, limits }: WebContext) => {
      const audience = audienceOf(user)
      const cursor = decodeSearchCursor(query.cursor)
      const limit = query.limit ?? defaultLimit
      const address = addressKey(request.ip)
      limits.searches.assertAllowed(address)
      return limits.searchesAtOnce.run(address, async () => {
        const signs = signsOf(params.term)
        if (signs !== undefined) return listTitlesWith(db, signs, cursor, limit, audience)
        const plan = await planSearchFor(db, params.term, audience)
        return listResults(db, params.term, plan, cursor, limit, audience)
      })
    },
  ),
]
