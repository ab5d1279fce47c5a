/**
 * Keys of the cached server data, one factory per feature. The first part names what a query holds. A key without
 * parameters also matches all longer ones, for example to invalidate every list of videos. Others are in
 * `watch-keys.ts` and `rare-keys.ts`.
 */
export const authKey = ['auth'] as const

export const videoKeys = {
  /** Every list of videos that others see too. */
  lists: ['videos'],
  allVideos: ['videos', 'all'],
  newest: ['videos', 'newest'],
  ofChannel: (username: string) => ['videos', 'channel', username.toLowerCase()],
  video: (videoId: string) => ['video', videoId],
} as const

export const searchKeys = {
  suggestions: (text: string) => ['suggestions', text],
  // With the lists of videos, because they change with them.
  summary: (text: string, filters: object) => ['videos', 'search-summary', text, filters],
  moments: (text: string) => ['videos', 'moments', text],
} as const

export const savedForLaterKey = ['playlists', 'saved-for-later'] as const

/** Work that waits for moderators. Other keys of the administration are in `administration-keys.ts`. */
export const toDecideKey = ['administration', 'to-decide'] as const

export const playbackKeys = {
  position: (videoId: string) => ['position', videoId],
  positions: ['positions'],
  finished: (userId: string | null) => ['finished-videos', userId],
} as const

export const subscriptionKeys = {
  all: ['subscriptions'],
  ofUser: (username: string) => ['subscriptions', username.toLowerCase()],
  followed: (username: string) => ['subscriptions', username.toLowerCase(), 'followed'],
  groups: ['channel-groups'],
  settings: ['subscription-settings'],
  subscribed: (videoId: string) => ['subscribed', videoId],
  feedAddress: ['feed-address'],
  feedVisit: ['feed-visit'],
  feeds: ['feed'],
  feed: (groupId: string | undefined) => ['feed', groupId],
} as const

export const notificationKeys = {
  unread: ['unread-notifications'],
  seen: (userId: string) => ['seen-notifications', userId],
  list: ['notifications'],
} as const

/** Lists of videos by what they are found with. */
export const browseKeys = {
  search: (term: string, filters: object) => ['videos', 'search', term, filters],
  browse: (filter: object) => ['videos', 'browse', filter],
  popular: ['videos', 'popular'],
  categories: ['videos', 'categories'],
  inChannel: (username: string, view: object) => ['videos', 'channel', username.toLowerCase(), view],
  pinnable: (username: string) => ['videos', 'pinnable', username.toLowerCase()],
} as const
