// Apart from `query-keys.ts` and `watch-keys.ts`, which the watch page loads.
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

export const transcriptionKeys = {
  channel: ['transcriptions'],
  ofVideo: (videoId: string) => ['transcriptions', videoId],
} as const

export const cutKeys = {
  cut: (videoId: string) => ['cut', videoId],
  waveform: (videoId: string) => ['waveform', videoId],
} as const

export const introKeys = {
  video: (videoId: string) => ['intro-video', videoId],
  channel: ['intros'],
  ofVideo: (videoId: string) => ['intros', videoId],
} as const
