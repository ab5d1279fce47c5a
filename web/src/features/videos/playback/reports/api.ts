import { recordPlayback } from '@kinora/contract/videos/analytics.ts'
import { urlOf } from '@kinora/contract/client.ts'
import type { Traffic } from './traffic-source.ts'
import type { Watched } from './watch-log.ts'

/** Sends what was watched, also while the page unloads. Nobody waits for the response. */
export function reportWatched(videoId: string, watched: Watched, traffic: Traffic): void {
  const body = JSON.stringify({ ...watched, ...traffic })
  navigator.sendBeacon(urlOf(recordPlayback, { id: videoId }), new Blob([body], { type: 'application/json' }))
}
