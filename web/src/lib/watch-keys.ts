// Apart from `query-keys.ts`, which is part of the first script: keys that the watch page needs besides.
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

export const recommendationKeys = {
  ofVideo: (videoId: string) => ['recommendations', videoId],
  /** Also matches the videos among them. */
  dismissed: ['dismissed'],
  dismissedVideos: ['dismissed', 'videos'],
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

export const historyKeys = {
  recent: ['history'],
  allComplete: ['complete-history'],
  complete: (filter: object) => ['complete-history', filter],
  state: ['history-state'],
} as const

/** Files of a video that are read as text or drawn. */
export const videoFileKeys = {
  transcript: (url: string) => ['transcript', url],
  storyboard: (url: string) => ['storyboard', url],
  storyboardSheet: (url: string) => ['storyboard-sheet', url],
} as const
