import { call, urlOf } from '@kinora/contract/client.ts'
import { getPosition, putPosition } from '@kinora/contract/history.ts'
import { queryOptions } from '@tanstack/react-query'
import { fetchStoryboard } from '../../lib/storyboard.ts'

/** Where a stream is, known from the id alone, so that it starts beside the page's data. */
export function streamUrlOf(videoId: string): string {
  return `/media/videos/${encodeURIComponent(videoId)}/master.m3u8`
}

/** The frames of a storyboard; they never change under one URL. */
export function storyboardQuery(storyboardUrl: string) {
  return queryOptions({
    queryKey: ['storyboard', storyboardUrl],
    queryFn: ({ signal }) => fetchStoryboard(storyboardUrl, signal),
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
