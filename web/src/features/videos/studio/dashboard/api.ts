import { call } from '@kinora/contract/client.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { getDashboard } from '@kinora/contract/videos/studio.ts'
import {
  listChannelVideos,
  getVideo,
  type Processing,
  type Video,
  type VideoProcessing,
} from '@kinora/contract/videos/videos.ts'
import { reprocessVideo } from '@kinora/contract/videos/playback.ts'
import type { ResultOf } from '@kinora/contract/endpoint.ts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { newestFirst } from '../../../../lib/newest-first.ts'
import { dashboardKeys } from '../../../../lib/studio-keys.ts'
import { isNotFound } from '../../../../lib/is-not-found.ts'

/** Polling interval while a video is being processed, in case a server event is missed. */
const PROCESSING_POLL_MS = 15_000

/** The caller's totals, daily views and videos. Invalidate `dashboardKeys.dashboard` after publishing, changing or deleting. */
export const dashboardQuery = queryOptions({
  queryKey: dashboardKeys.dashboard,
  queryFn: async ({ signal }) => {
    const dashboard = await call(getDashboard, { signal })
    return { ...dashboard, userVideos: newestFirst(dashboard.userVideos ?? []) }
  },
  refetchInterval: ({ state }) => (state.data?.userVideos.some(isProcessing) ? PROCESSING_POLL_MS : false),
})

/**
 * Further pages of the caller's videos after the cursor of the dashboard, fetched near the end of the list. Reset
 * `dashboardKeys.allOlderVideos` after changing one.
 */
export function olderVideosQuery(username: string, cursor: string | null) {
  return infiniteQueryOptions({
    queryKey: dashboardKeys.olderVideos(username, cursor),
    queryFn: ({ pageParam, signal }) =>
      call(listChannelVideos, { params: { username }, query: { cursor: pageParam }, signal }),
    initialPageParam: cursor ?? '',
    getNextPageParam: (page) => page.nextCursor,
    enabled: false,
  })
}

/**
 * One of the caller's videos, or null if it does not exist or belongs to someone else. The newest ones and those taken down
 * come from the dashboard, others are requested.
 */
export function ownVideoQuery(client: QueryClient, owner: User, videoId: string) {
  const hasId = ({ _id }: Video) => _id === videoId
  return queryOptions({
    queryKey: dashboardKeys.ownVideo(videoId),
    queryFn: async ({ signal }): Promise<Video | null> => {
      const { userVideos } = await client.ensureQueryData(dashboardQuery)
      return userVideos.find(hasId) ?? (await fetchOwnVideo(owner, videoId, signal))
    },
    initialData: () => fetchedVideos(client).find(hasId),
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** The videos that the dashboard has fetched so far. */
function fetchedVideos(client: QueryClient): Video[] {
  const older = client.getQueriesData<InfiniteData<OwnVideosPage>>({ queryKey: dashboardKeys.allOlderVideos })
  return [
    ...(client.getQueryData(dashboardQuery.queryKey)?.userVideos ?? []),
    ...older.flatMap(([, data]) => data?.pages.flatMap(({ userVideos }) => userVideos) ?? []),
  ]
}

type OwnVideosPage = ResultOf<typeof listChannelVideos>

async function fetchOwnVideo(owner: User, id: string, signal: AbortSignal): Promise<Video | null> {
  try {
    const [video] = await call(getVideo, { params: { id }, signal })
    return video?.videoOwner._id === owner._id ? video : null
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** Default for responses without the field, which the specification does not require. */
export const finishedProcessing: Processing = { state: 'ready', progress: 1, reason: null }

export function isProcessing({ processing = finishedProcessing }: Partial<Video>): boolean {
  return processing.state === 'processing'
}

type Dashboard = ResultOf<typeof getDashboard>

/** Removes a deleted video from the cached dashboard; other rows keep their order until the refetch. */
export function removeFromDashboard(client: QueryClient, videoId: string): void {
  const without = <Part extends { userVideos: Video[] }>(part: Part): Part => ({
    ...part,
    userVideos: part.userVideos.filter(({ _id }) => _id !== videoId),
  })
  client.setQueryData(dashboardQuery.queryKey, (shown) => shown && without(shown))
  client.setQueriesData<InfiniteData<OwnVideosPage>>(
    { queryKey: dashboardKeys.allOlderVideos },
    (older) => older && { ...older, pages: older.pages.map(without) },
  )
}

/** Applies a processing event to the cached dashboard. */
export function withProcessing(dashboard: Dashboard, { videoId, ...processing }: VideoProcessing): Dashboard {
  const userVideos = dashboard.userVideos.map((video) =>
    video._id === videoId ? { ...video, processing } : video,
  )
  return { ...dashboard, userVideos }
}

/** Retries failed processing of a video and updates its row immediately. */
export function useReprocess() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(reprocessVideo, { params: { id } }),
    onSuccess: ({ _id: videoId, processing }) =>
      client.setQueryData(
        dashboardQuery.queryKey,
        (dashboard) => dashboard && withProcessing(dashboard, { videoId, ...processing }),
      ),
  })
}
