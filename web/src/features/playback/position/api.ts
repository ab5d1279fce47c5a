import { call, urlOf } from '@kinora/contract/client.ts'
import { getPosition, listPositions, putPosition } from '@kinora/contract/calls/history.ts'
import { queryOptions } from '@tanstack/react-query'
import { playbackKeys } from '../../../lib/query-keys.ts'

/** The signed-in viewer's last position in a video, from any device. */
export function positionQuery(videoId: string) {
  return queryOptions({
    queryKey: playbackKeys.position(videoId),
    queryFn: ({ signal }) => call(getPosition, { params: { videoId }, signal }),
    gcTime: 0,
  })
}

/** Where the caller stopped in unfinished videos, in seconds by video. */
export const positionsQuery = queryOptions({
  queryKey: playbackKeys.positions,
  queryFn: async ({ signal }) => {
    const positions = await call(listPositions, { signal })
    return new Map(positions.map(({ videoId, positionSeconds }) => [videoId, positionSeconds]))
  },
  staleTime: 15_000,
})

/** Saves the position. `keepalive` lets the request finish while the page unloads. */
export async function savePosition(videoId: string, positionSeconds: number): Promise<void> {
  const response = await fetch(urlOf(putPosition, { videoId }), {
    method: putPosition.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ positionSeconds }),
    keepalive: true,
  })
  if (!response.ok) throw new Error(`Saving the position failed with status ${response.status}`)
}
