import { queryOptions } from '@tanstack/react-query'
import { playbackKeys } from '../../../lib/query-keys.ts'

export const FINISHED_KEY = 'kinora.finished'
const MAX_VIDEOS = 200

/** Ids of the videos that this browser played to their end, most recent last. */
export function loadFinished(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(FINISHED_KEY) ?? '[]')
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  } catch {
    // Storage may be blocked, or hold no JSON.
    return []
  }
}

export function saveFinished(videoId: string): void {
  try {
    const others = loadFinished().filter((id) => id !== videoId)
    localStorage.setItem(FINISHED_KEY, JSON.stringify([...others, videoId].slice(-MAX_VIDEOS)))
  } catch {
    // Storage may be blocked or full: the video may then be suggested again.
  }
}

/** The same, for components that follow changes. */
export const finishedQuery = queryOptions({
  queryKey: playbackKeys.finished,
  queryFn: () => loadFinished(),
  staleTime: Infinity,
})
