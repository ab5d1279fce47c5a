import { call } from '@kinora/contract/client.ts'
import { getFeedAddress } from '@kinora/contract/watching/feeds.ts'
import {
  getFeedVisit,
  hasSubscribed,
  listFeed,
  listSubscriptions,
} from '@kinora/contract/watching/subscriptions.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { newestFirst } from '../../../lib/newest-first.ts'
import { subscriptionKeys } from '../../../lib/query-keys.ts'

/** The channels that a user subscribes to, newest first. Invalidate `subscriptionKeys.all` after a toggle. */
export function subscriptionsQuery(username: string) {
  return queryOptions({
    queryKey: subscriptionKeys.ofUser(username),
    queryFn: async ({ signal }) => {
      const { items, nextCursor } = await call(listSubscriptions, { params: { username }, signal })
      // The navigation shows them beside every page: one that names no channel is left out.
      return { items: newestFirst(items.filter((entry) => entry?.subscribedToName)), nextCursor }
    },
  })
}

/** Whether the caller subscribes to the owner of a video; refetched on every visit. */
export function subscribedQuery(videoId: string) {
  return queryOptions({
    queryKey: subscriptionKeys.subscribed(videoId),
    queryFn: ({ signal }) => call(hasSubscribed, { params: { videoId }, signal }),
    gcTime: 0,
  })
}

/** The secret address of the caller's RSS feed. */
export const feedAddressQuery = queryOptions({
  queryKey: subscriptionKeys.feedAddress,
  queryFn: ({ signal }) => call(getFeedAddress, { signal }),
  gcTime: 0,
})

/** When the caller last saw the feed, and whether it has new videos. */
export const feedVisitQuery = queryOptions({
  queryKey: subscriptionKeys.feedVisit,
  queryFn: ({ signal }) => call(getFeedVisit, { signal }),
  staleTime: 60_000,
})

/** New videos of the channels that the caller follows, or of a group of them, page by page. */
export function feedQuery(groupId: string | undefined) {
  return infiniteQueryOptions({
    queryKey: subscriptionKeys.feed(groupId),
    queryFn: ({ pageParam, signal }) =>
      call(listFeed, {
        query: { limit: 60, ...(groupId === undefined ? {} : { group: groupId }), ...pageQuery(pageParam) },
        signal,
      }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  })
}
