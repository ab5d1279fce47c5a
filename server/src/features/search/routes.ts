import { searchVideos } from '@kinora/contract/search.ts'
import type { Context } from '../../context.ts'
import { route } from '../../platform/http/route.ts'
import { understand } from './actions.ts'
import { listResults } from './queries.ts'
import { decodeSearchCursor } from './rules.ts'

const defaultLimit = 50

export const searchRoutes = [
  route(searchVideos, { keep: () => [] }, async ({ params, query }, { db }: Context) => {
    const cursor = decodeSearchCursor(query.cursor)
    const plan = await understand(db, params.term)
    if (plan.terms.length === 0) return { items: [], nextCursor: null }
    return listResults(db, params.term, plan, cursor, query.limit ?? defaultLimit)
  }),
]
