import type { Video } from '@kinora/contract/videos/videos.ts'
import { createContext } from 'react'

/**
 * Adds a video to Watch later and returns its entry there, or removes the entry that is given; null for visitors, who have
 * no playlists.
 */
export const WatchLaterContext = createContext<
  ((videoId: string, entryId: string | undefined) => Promise<string | undefined>) | null
>(null)

/** Entries of "Watch later", by video. */
export const SavedForLaterContext = createContext<ReadonlyMap<string, string>>(new Map())

/** Offers to save a video to a playlist; null for visitors, who have none. */
export const SaveVideoContext = createContext<((video: Pick<Video, '_id' | 'title'>) => void) | null>(null)
