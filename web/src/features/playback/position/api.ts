import { call, urlOf } from '@kinora/contract/client.ts'
import { getPosition, putPosition } from '@kinora/contract/history.ts'
import { queryOptions } from '@tanstack/react-query'

/** The signed-in viewer's last position in a video, from any device. */
export function positionQuery(videoId: string) {
  return queryOptions({
    queryKey: ['position', videoId],
    queryFn: ({ signal }) => call(getPosition, { params: { videoId }, signal }),
    gcTime: 0,
  })
}

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
