import { call } from '@kinora/contract/client.ts'
import { getDashboard } from '@kinora/contract/users.ts'
import type { ResultOf } from '@kinora/contract/endpoint.ts'
import type { Processing, Video } from '@kinora/contract/videos.ts'
import { queryOptions } from '@tanstack/react-query'

/** While a video is being processed, its meter asks so often. */
const PROCESSING_POLL_MS = 2_000

/** The caller's totals, daily views and videos. Invalidate `['dashboard']` after publishing, changing or deleting. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(getDashboard, { signal }),
  refetchInterval: ({ state }) => (state.data?.userVideos.some(isProcessing) ? PROCESSING_POLL_MS : false),
})

/** What a video without the field is: the page depends on no more than every version of the server sends. */
export const doneProcessing: Processing = { state: 'ready', progress: 1, reason: null }

function isProcessing({ processing = doneProcessing }: Partial<Video>): boolean {
  return processing.state === 'processing'
}

type Dashboard = ResultOf<typeof getDashboard>

/** The dashboard after a video is gone, until the server has counted anew. */
export function withoutVideo(dashboard: Dashboard, videoId: string): Dashboard {
  return { ...dashboard, userVideos: dashboard.userVideos.filter(({ _id }) => _id !== videoId) }
}
