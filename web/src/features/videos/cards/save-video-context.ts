import type { Video } from '@kinora/contract/videos.ts'
import { createContext } from 'react'

/** Offers to save a video to a playlist; null for visitors, who have none. */
export const SaveVideoContext = createContext<((video: Pick<Video, '_id' | 'title'>) => void) | null>(null)
