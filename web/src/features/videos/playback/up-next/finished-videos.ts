import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { playbackKeys } from '../../../../lib/query-keys.ts'

const MAX_VIDEOS = 200

/** One list for each account, and one for visitors. */
export const finishedKeyOf = (userId: string | null) => `kinora.finished.${userId ?? 'visitor'}`

/** Ids of the videos that an account played to their end in this browser, most recent last. */
export function loadFinished(userId: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(finishedKeyOf(userId)) ?? '[]')
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  } catch {
    // Storage may be blocked, or hold no JSON.
    return []
  }
}

/** The same, for components that follow changes. */
export function finishedQuery(userId: string | null) {
  return queryOptions({
    queryKey: playbackKeys.finished(userId),
    queryFn: () => loadFinished(userId),
    staleTime: Infinity,
  })
}

/** Adds a video that was played to its end, and marks its cards. */
export function markFinished(client: QueryClient, userId: string | null, videoId: string): void {
  try {
    const others = loadFinished(userId).filter((id) => id !== videoId)
    localStorage.setItem(finishedKeyOf(userId), JSON.stringify([...others, videoId].slice(-MAX_VIDEOS)))
  } catch {
    // Storage may be blocked or full: the video may then be suggested again.
  }
  void client.invalidateQueries(finishedQuery(userId))
}
