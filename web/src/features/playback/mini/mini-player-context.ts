import { createContext } from 'react'
import type { VideoDetails } from '../video-player.tsx'

/** A video that continues in the corner of other pages. */
export type MiniVideo = { videoId: string; streamUrl: string; details: VideoDetails; startSeconds: number }

/** Lets a video continue in the corner. */
export const MiniPlayerContext = createContext<(video: MiniVideo) => void>(() => {})
