import { createContext } from 'react'
import type { WatchLog, Watched } from '../reports/watch-log.ts'
import type { VideoDetails } from '../video-player.tsx'

/** A video that continues in the corner of other pages. */
export type MiniVideo = {
  videoId: string
  streamUrl: string
  details: VideoDetails
  startSeconds: number
  /** The page's own log: the page and the corner count as one playback. */
  watchLog: WatchLog
  onWatched: (watched: Watched) => void
}

/** Lets a video continue in the corner. */
export const MiniPlayerContext = createContext<(video: MiniVideo) => void>(() => {})
