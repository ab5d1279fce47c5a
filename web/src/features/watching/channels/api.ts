import { call } from '@kinora/contract/client.ts'
import {
  findChannelVideos,
  getChannelProfile,
  listChannelPlaylists,
  listChannels,
  type ChannelSort,
} from '@kinora/contract/watching/channels.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { browseKeys } from '../../../lib/query-keys.ts'
import { channelKeys } from '../../../lib/rare-keys.ts'

/** The largest page of the API. */
const MAX_PAGE = 200

/** Texts and counts of a channel. Usernames are case-insensitive. */
export function profileQuery(username: string) {
  return queryOptions({
    queryKey: channelKeys.profile(username),
    queryFn: ({ signal }) => call(getChannelProfile, { params: { username }, signal }),
  })
}

/** The videos of a channel with a text in their title, in an order. `popular` has one page. */
export function foundVideosQuery(username: string, { text, sort }: { text: string; sort: ChannelSort }) {
  return infiniteQueryOptions({
    queryKey: browseKeys.inChannel(username, { text, sort }),
    queryFn: ({ pageParam, signal }) =>
      call(findChannelVideos, {
        params: { username },
        query: {
          sort,
          ...(text === '' ? {} : { text }),
          ...(sort === 'popular' ? { limit: MAX_PAGE } : pageQuery(pageParam)),
        },
        signal,
      }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
}

/** The newest videos of a channel, which its owner may pin. */
export function pinnableVideosQuery(username: string) {
  return queryOptions({
    queryKey: browseKeys.pinnable(username),
    queryFn: ({ signal }) =>
      call(findChannelVideos, { params: { username }, query: { limit: MAX_PAGE }, signal }),
    gcTime: 0,
  })
}

/** The channels that have videos, newest first, page by page. */
export const channelsQuery = infiniteQueryOptions({
  queryKey: channelKeys.list({ sort: 'newest' }),
  queryFn: ({ pageParam, signal }) => call(listChannels, { query: pageQuery(pageParam), signal }),
  initialPageParam: firstPage,
  getNextPageParam: (page) => page.nextCursor,
})

/** Five channels for somebody who follows none. */
export const suggestedChannelsQuery = queryOptions({
  queryKey: channelKeys.list({ sort: 'popular' }),
  queryFn: ({ signal }) => call(listChannels, { query: { sort: 'popular', limit: 6 }, signal }),
})

/** The public playlists of a channel. */
export function channelPlaylistsQuery(username: string) {
  return queryOptions({
    queryKey: channelKeys.playlists(username),
    queryFn: ({ signal }) => call(listChannelPlaylists, { params: { username }, signal }),
  })
}
