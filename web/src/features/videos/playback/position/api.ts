import { call, urlOf } from '@kinora/contract/client.ts'
import { getPosition, listPositions, putPosition } from '@kinora/contract/watching/history.ts'
import { queryOptions } from '@tanstack/react-query'
import { playbackKeys } from '../../../../lib/query-keys.ts'

/** The signed-in viewer's last position in a video, from any device. */
export function positionQuery(videoId: string) {
  return queryOptions({
    queryKey: playbackKeys.position(videoId),
    queryFn: ({ signal }) => call(getPosition, { params: { videoId }, signal }),
    gcTime: 0,
  })
}

/** Where the caller stopped, in seconds by video; Infinity for videos that were watched to their end. */
export const positionsQuery = queryOptions({
  queryKey: playbackKeys.positions,
  queryFn: async ({ signal }) => {
    const positions = await call(listPositions, { query: { finished: 'true' }, signal })
    return new Map(positions.map((position) => [position.videoId, progressOf(position)]))
  },
  staleTime: 15_000,
})

/** Seconds that a card shows; Infinity for a video that was watched to its end, and not begun again. */
export function progressOf({
  positionSeconds,
  isFinished,
}: {
  positionSeconds: number
  isFinished: boolean
}): number {
  return positionSeconds === 0 && isFinished ? Infinity : positionSeconds
}

/** Saves the position. `keepalive` lets the request finish while the page unloads. */
export async function savePosition(
  videoId: string,
  position: { positionSeconds: number; durationSeconds?: number; isFinished?: boolean },
): Promise<void> {
  const response = await fetch(urlOf(putPosition, { videoId }), {
    method: putPosition.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(position),
    keepalive: true,
  })
  if (!response.ok) throw new Error(`Saving the position failed with status ${response.status}`)
}
