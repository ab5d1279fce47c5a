/**
 * Keys of the cached server data, one factory per feature. The first part names what a query holds. A key without
 * parameters also matches all longer ones, for example to invalidate every list of videos.
 */
export const sessionKeys = {
  auth: ['auth'],
  list: ['sessions'],
  secondFactor: ['second-factor'],
  passkeys: ['passkeys'],
  apiTokens: ['api-tokens'],
  webhooks: ['webhooks'],
  accountExport: ['account-export'],
  accountImport: ['account-import'],
  oidc: ['oidc'],
  email: ['email'],
  deletion: ['account-deletion'],
} as const

export const videoKeys = {
  /** Every list of videos that others see too. */
  lists: ['videos'],
  allVideos: ['videos', 'all'],
  newest: ['videos', 'newest'],
  search: (term: string, filters: object) => ['videos', 'search', term, filters],
  browse: (filter: object) => ['videos', 'browse', filter],
  popular: ['videos', 'popular'],
  categories: ['videos', 'categories'],
  ofChannel: (username: string) => ['videos', 'channel', username.toLowerCase()],
  foundInChannel: (username: string, view: object) => ['videos', 'channel', username.toLowerCase(), view],
  pinnable: (username: string) => ['videos', 'pinnable', username.toLowerCase()],
  video: (videoId: string) => ['video', videoId],
} as const

export const recommendationKeys = {
  ofVideo: (videoId: string) => ['recommendations', videoId],
  /** Also matches the videos among them. */
  dismissed: ['dismissed'],
  dismissedVideos: ['dismissed', 'videos'],
} as const

export const searchKeys = {
  suggestions: (text: string) => ['suggestions', text],
  // With the lists of videos, because they change with them.
  summary: (text: string, filters: object) => ['videos', 'search-summary', text, filters],
  moments: (text: string) => ['videos', 'moments', text],
} as const

export const userKeys = {
  stored: ['stored'],
  channels: ['channels'],
  channel: (username: string) => ['channels', username.toLowerCase()],
} as const

export const channelKeys = {
  list: (view: object) => ['channel-list', view],
  profile: (username: string) => ['channel-profiles', username.toLowerCase()],
  playlists: (username: string) => ['channel-playlists', username.toLowerCase()],
} as const

export const uploadKeys = {
  sent: (videoId: string) => ['sent-video', videoId],
  quota: ['upload-quota'],
  recordings: ['unfinished-recordings'],
  others: ['uploads-of-others'],
  imports: ['video-imports'],
  feeds: ['feed-imports'],
} as const

/** Work that waits for moderators. Other keys of the administration are in `administration-keys.ts`. */
export const toDecideKey = ['administration', 'to-decide'] as const

/** Name, logo, texts and public settings of the site. */
export const siteKeys = {
  site: ['site'],
  privacy: ['site', 'privacy'],
  setup: (token: string) => ['setup', token],
} as const

export const playbackKeys = {
  position: (videoId: string) => ['position', videoId],
  positions: ['positions'],
  finished: (userId: string | null) => ['finished-videos', userId],
  transcript: (url: string) => ['transcript', url],
  storyboard: (url: string) => ['storyboard', url],
  storyboardSheet: (url: string) => ['storyboard-sheet', url],
} as const

export const historyKeys = {
  recent: ['history'],
  allComplete: ['complete-history'],
  complete: (filter: object) => ['complete-history', filter],
  state: ['history-state'],
} as const

export const commentKeys = {
  all: ['comments'],
  /** Everything that is shown below a video. */
  ofVideo: (videoId: string) => ['comments', videoId],
  list: (videoId: string, sort: string) => ['comments', videoId, 'list', sort],
  replies: (videoId: string, commentId: string) => ['comments', videoId, 'replies', commentId],
  held: (videoId: string) => ['comments', videoId, 'held'],
  received: (show: string, channel: string | undefined) => ['comments', 'received', show, channel],
  pinned: (videoId: string) => ['comments', videoId, 'pinned'],
  linked: (videoId: string, commentId: string) => ['comments', videoId, 'linked', commentId],
  liked: (videoId: string, commentId: string) => ['comments', videoId, 'liked', commentId],
  mentionable: (videoId: string, text: string) => ['mentionable', videoId, text],
} as const

export const likeKeys = {
  liked: (videoId: string) => ['liked', videoId],
  count: (videoId: string) => ['like-count', videoId],
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

export const playlistKeys = {
  all: ['playlists'],
  own: ['playlists', 'own'],
  savedForLater: ['playlists', 'saved-for-later'],
  ofVideo: (videoId: string) => ['playlists', 'of-video', videoId],
  playlist: (playlistId: string) => ['playlists', 'one', playlistId],
  entries: (playlistId: string, shuffle: string | undefined, startCursor: string | null) => [
    'playlists',
    'entries',
    playlistId,
    shuffle ?? null,
    startCursor,
  ],
  place: (playlistId: string, videoId: string, shuffle: string | undefined) => [
    'playlists',
    'place',
    playlistId,
    videoId,
    shuffle ?? null,
  ],
} as const

export const muteKeys = {
  list: ['muted-people'],
  /** Everything that lists people, videos or comments. */
  affected: [
    ['muted-people'],
    ['videos'],
    ['suggestions'],
    ['recommendations'],
    ['comments'],
    ['feed'],
    ['notifications'],
    ['unread-notifications'],
  ],
} as const

export const notificationKeys = {
  unread: ['unread-notifications'],
  seen: (userId: string) => ['seen-notifications', userId],
  list: ['notifications'],
  mails: ['notification-mails'],
  pushes: ['notification-pushes'],
  muted: ['muted-notifications'],
} as const
