// Apart from `query-keys.ts`, which is part of the first script.
export const dashboardKeys = {
  dashboard: ['dashboard'],
  allOlderVideos: ['older-videos'],
  olderVideos: (username: string, cursor: string | null) => ['older-videos', username, cursor],
  ownVideo: (videoId: string) => ['own-video', videoId],
} as const

export const studioKeys = {
  lists: ['studio'],
  list: (view: object) => ['studio', view],
  video: (videoId: string) => ['studio-video', videoId],
} as const

export const captionKeys = {
  own: (videoId: string) => ['own-captions', videoId],
  text: (url: string) => ['captions-text', url],
} as const

export const transcriptionKeys = {
  channel: ['transcriptions'],
  ofVideo: (videoId: string) => ['transcriptions', videoId],
} as const

export const cutKeys = {
  cut: (videoId: string) => ['cut', videoId],
  waveform: (videoId: string) => ['waveform', videoId],
} as const

export const reportKeys = { report: (reportId: string) => ['report', reportId] } as const

export const introKeys = {
  video: (videoId: string) => ['intro-video', videoId],
  channel: ['intros'],
  ofVideo: (videoId: string) => ['intros', videoId],
} as const

export const clipKeys = {
  /** Every clip and list of clips. */
  all: ['clips'],
  clip: (clipId: string) => ['clips', clipId],
  own: ['clips', 'own', 'list'],
  received: (channel: string | undefined) => ['clips', 'received', channel],
  policy: (videoId: string) => ['clip-policy', videoId],
  channelPolicy: ['clip-policy'],
} as const
