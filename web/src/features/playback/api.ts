import { call, urlOf } from '@kinora/contract/client.ts'
import { getPosition, putPosition } from '@kinora/contract/history.ts'
import { queryOptions } from '@tanstack/react-query'

/** Where a stream is, known from the id alone, so that it starts beside the page's data. */
export function streamUrlOf(videoId: string): string {
  return `/media/videos/${encodeURIComponent(videoId)}/master.m3u8`
}

/** A picture of the storyboard, once it can be drawn at once. */
export function sheetQuery(sheetUrl: string) {
  return queryOptions({
    queryKey: ['storyboard-sheet', sheetUrl],
    queryFn: async () => {
      const picture = new Image()
      picture.src = sheetUrl
      await picture.decode()
      return true
    },
    staleTime: Infinity,
  })
}

/** Where the signed-in viewer stopped, on whatever device. */
export function positionQuery(videoId: string) {
  return queryOptions({
    queryKey: ['position', videoId],
    queryFn: ({ signal }) => call(getPosition, { params: { videoId }, signal }),
    gcTime: 0,
  })
}

/** Remembers a place; outlives the page, so that leaving it loses nothing. */
export async function savePosition(videoId: string, positionSeconds: number): Promise<void> {
  const response = await fetch(urlOf(putPosition, { videoId }), {
    method: putPosition.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ positionSeconds }),
    keepalive: true,
  })
  if (!response.ok) throw new Error(`The position was answered with ${response.status}`)
}
