import {
  findMoments,
  searchVideos,
  suggestSearches,
  summarizeSearch,
} from '@kinora/contract/watching/search.ts'
import type { WebContext } from '../../../context/context.ts'
import { defaultLimit } from '@kinora/platform/db/cursor.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { audienceOf } from '../../visibility/queries.ts'
import { findMomentsOf, planSearchFor, search } from './actions.ts'
import { countResults, countTitlesWith } from './queries/results.ts'
import { listFoundChannels, listSuggestedVideos } from './queries/suggestions.ts'
import { decodeSearchCursor, signsOf } from './rules.ts'
import { searchLimits } from './limits.ts'

/** Suggestions of each kind, which fit on a phone above its keyboard. */
const suggestedVideos = 5
const suggestedChannels = 3

export const searchRoutes = [
  route(
    searchVideos,
    { cacheTags: ['videos', 'counts', 'channels'], isSharedByMembers: true },
    async ({ params, query, request, user }, { db, limits, siteSettings }: WebContext) => {
      const audience = audienceOf(user, siteSettings.current)
      const cursor = decodeSearchCursor(query.cursor)
      const limit = query.limit ?? defaultLimit
      const address = addressKey(request.ip)
      limits.of(searchLimits).searches.assertAllowed(address)
      return limits
        .of(searchLimits)
        .atOnce.run(address, () => search(db, params.term, { cursor, limit }, audience, query))
    },
  ),
  route(
    suggestSearches,
    { cacheTags: ['videos', 'channels'], isSharedByMembers: true },
    async ({ query: { text }, request, user }, { db, limits, siteSettings }: WebContext) => {
      if (text === undefined) return { videos: [], channels: [] }
      const audience = audienceOf(user, siteSettings.current)
      const address = addressKey(request.ip)
      limits.of(searchLimits).suggestions.assertAllowed(address)
      return limits.of(searchLimits).atOnce.run(address, async () => ({
        videos: await listSuggestedVideos(db, text, suggestedVideos, audience),
        channels: await listFoundChannels(db, text, suggestedChannels, audience),
      }))
    },
  ),
  route(
    summarizeSearch,
    { cacheTags: ['videos', 'channels', 'counts'], isSharedByMembers: true },
    async ({ query: { text, ...filters }, request, user }, { db, limits, siteSettings }: WebContext) => {
      if (text === undefined) return { total: 0, channels: [] }
      const audience = audienceOf(user, siteSettings.current)
      const address = addressKey(request.ip)
      limits.of(searchLimits).suggestions.assertAllowed(address)
      return limits.of(searchLimits).atOnce.run(address, async () => {
        const signs = signsOf(text)
        const channels = await listFoundChannels(db, text, suggestedChannels, audience)
        if (signs !== undefined)
          return { total: await countTitlesWith(db, signs, audience, filters), channels }
        const plan = await planSearchFor(db, text, audience)
        return { total: await countResults(db, text, plan, audience, filters), channels }
      })
    },
  ),
  route(
    findMoments,
    { cacheTags: ['videos', 'channels'] },
    async ({ query: { text }, request, user }, { db, limits, siteSettings }: WebContext) => {
      if (text === undefined) return []
      const address = addressKey(request.ip)
      limits.of(searchLimits).suggestions.assertAllowed(address)
      return limits
        .of(searchLimits)
        .atOnce.run(address, () =>
          findMomentsOf(db, text, user?.id ?? null, audienceOf(user, siteSettings.current), address),
        )
    },
  ),
]
