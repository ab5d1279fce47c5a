import { call } from '@kinora/contract/client.ts'
import {
  listChannelGroups,
  listSubscriptions,
  type Subscription,
} from '@kinora/contract/watching/subscriptions.ts'
import { channelsPerGroup } from '@kinora/contract/constants.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { subscriptionKeys } from '../../../../lib/query-keys.ts'

/** The groups into which the caller sorts followed channels, by name. */
export const channelGroupsQuery = queryOptions({
  queryKey: subscriptionKeys.groups,
  queryFn: ({ signal }) => call(listChannelGroups, { signal }),
})

/** The channels that a user follows, newest first; of very many as many as fit into a group. */
export function followedChannelsQuery(username: string) {
  return queryOptions({
    queryKey: subscriptionKeys.followed(username),
    queryFn: async ({ signal }) => {
      const found: Subscription[] = []
      let cursor: string | null = null
      do {
        const page: { items: Subscription[]; nextCursor: string | null } = await call(listSubscriptions, {
          params: { username },
          query: cursor === null ? {} : { cursor },
          signal,
        })
        found.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== null && found.length < channelsPerGroup)
      return found.map(({ subscribedToName }) => subscribedToName)
    },
    gcTime: 0,
  })
}

/** Makes everything that shows groups fetch again. */
export async function refreshGroups(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries(channelGroupsQuery),
    client.invalidateQueries({ queryKey: subscriptionKeys.feeds }),
  ])
}
