// Apart from `query-keys.ts`, which is part of the first script: keys that it does not use.
export const captionKeys = {
  own: (videoId: string) => ['own-captions', videoId],
  text: (url: string) => ['captions-text', url],
} as const

export const reportKeys = { report: (reportId: string) => ['report', reportId] } as const

export const clipKeys = {
  /** Every clip and list of clips. */
  all: ['clips'],
  clip: (clipId: string) => ['clips', clipId],
  own: ['clips', 'own', 'list'],
  received: (channel: string | undefined) => ['clips', 'received', channel],
  policy: (videoId: string) => ['clip-policy', videoId],
  channelPolicy: ['clip-policy'],
} as const

export const recommendationKeys = {
  ofVideo: (videoId: string) => ['recommendations', videoId],
  /** Also matches the videos among them. */
  dismissed: ['dismissed'],
  dismissedVideos: ['dismissed', 'videos'],
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

/** Name, logo, texts and public settings of the site. */
export const siteKeys = {
  site: ['site'],
  privacy: ['site', 'privacy'],
  setup: (token: string) => ['setup', token],
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

export const playlistKeys = {
  all: ['playlists'],
  own: ['playlists', 'own'],
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

/** Lists of videos by what they are found with. */
export const browseKeys = {
  search: (term: string, filters: object) => ['videos', 'search', term, filters],
  browse: (filter: object) => ['videos', 'browse', filter],
  popular: ['videos', 'popular'],
  categories: ['videos', 'categories'],
  inChannel: (username: string, view: object) => ['videos', 'channel', username.toLowerCase(), view],
  pinnable: (username: string) => ['videos', 'pinnable', username.toLowerCase()],
} as const

/** Files of a video that are read as text or drawn. */
export const videoFileKeys = {
  transcript: (url: string) => ['transcript', url],
  storyboard: (url: string) => ['storyboard', url],
  storyboardSheet: (url: string) => ['storyboard-sheet', url],
} as const

export const notificationSettingKeys = {
  mails: ['notification-mails'],
  pushes: ['notification-pushes'],
  muted: ['muted-notifications'],
} as const
