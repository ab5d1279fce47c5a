import { call } from '@kinora/contract/client.ts'
import { type Channel, getChannel } from '@kinora/contract/accounts/users.ts'
import { listChannelVideos } from '@kinora/contract/videos/videos.ts'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { newestFirst } from '../../../lib/newest-first.ts'
import { videoKeys } from '../../../lib/query-keys.ts'
import { userKeys } from '../../../lib/rare-keys.ts'

/** A channel as the caller sees it. Usernames are case-insensitive. */
export function channelQuery(username: string) {
  return queryOptions({
    queryKey: userKeys.channel(username),
    queryFn: async ({ signal }) => {
      const channel: Channel | null = await call(getChannel, { params: { username }, signal })
      if (!channel?.username) throw new Error('The response contains no channel')
      return channel
    },
  })
}

/** The videos of a channel, newest first, page by page. */
export function channelVideosQuery(username: string) {
  return infiniteQueryOptions({
    queryKey: videoKeys.ofChannel(username),
    queryFn: ({ pageParam, signal }) =>
      call(listChannelVideos, {
        params: { username },
        query: pageQuery(pageParam),
        signal,
      }).then(({ userVideos, nextCursor }) => ({
        items: newestFirst((userVideos ?? []).filter(Boolean)),
        nextCursor: nextCursor ?? null,
      })),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** Updates a cached channel, optimistically or from a response. */
export function patchChannel(
  client: QueryClient,
  username: string,
  change: (channel: Channel) => Channel,
): void {
  const { queryKey } = channelQuery(username)
  const channel = client.getQueryData(queryKey)
  if (!channel) return
  // A pending response is older than this change.
  void client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, change(channel))
}
