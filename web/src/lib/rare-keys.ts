// Apart from `query-keys.ts` and `watch-keys.ts`: keys that neither the first script nor the watch page uses.
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

export const notificationSettingKeys = {
  mails: ['notification-mails'],
  pushes: ['notification-pushes'],
  muted: ['muted-notifications'],
} as const
