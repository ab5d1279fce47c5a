import { call } from '@kinora/contract/client.ts'
import type { BodyInputOf } from '@kinora/contract/endpoint.ts'
import {
  type OwnVideo,
  type StudioSort,
  changeOwnVideo,
  changeOwnVideos,
  chooseThumbnailFrame,
  deleteOwnVideos,
  getOwnVideo,
  listOwnVideos,
  replaceThumbnail,
} from '@kinora/contract/videos/studio.ts'
import { parseCaptions } from '@kinora/contract/videos/caption-cues.ts'
import { listOwnCaptions } from '@kinora/contract/videos/captions.ts'
import type { ChapterStart } from '@kinora/contract/videos/chapters.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import {
  keepPreviousData,
  queryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { suggestChapters } from './suggest-chapters.ts'
import { videoKeys } from '../../../lib/query-keys.ts'
import { dashboardKeys, studioKeys } from '../../../lib/studio-keys.ts'

export const pageSize = 50

export interface StudioView {
  /** Username of a channel of somebody else. */
  channel: string | undefined
  text: string
  visibility: Visibility | undefined
  sort: StudioSort
  page: number
}

/** One page of the videos of a channel. Invalidate `studioKeys.lists` after changing one. */
export function studioQuery({ channel, text, visibility, sort, page }: StudioView) {
  return queryOptions({
    queryKey: studioKeys.list({ channel, text, visibility, sort, page }),
    queryFn: ({ signal }) =>
      call(listOwnVideos, {
        query: {
          channel,
          ...(text ? { text } : {}),
          visibility,
          sort,
          offset: page * pageSize,
          limit: pageSize,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
}

export function studioVideoQuery(id: string) {
  return queryOptions({
    queryKey: studioKeys.video(id),
    // A form that opens with an old copy would undo what was changed in the list meanwhile.
    gcTime: 0,
    queryFn: ({ signal }) => call(getOwnVideo, { params: { id }, signal }),
  })
}

export type VideoChanges = BodyInputOf<typeof changeOwnVideo>

/** Changes that apply to several videos at once. */
export type BulkChanges = Omit<VideoChanges, 'viewers'>

/** Refetches all queries that contain videos. */
export async function refreshVideos(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: videoKeys.lists, type: 'inactive' })
  void client.resetQueries({ queryKey: dashboardKeys.allOlderVideos })
  void client.invalidateQueries({ queryKey: dashboardKeys.dashboard })
  await client.invalidateQueries({ queryKey: studioKeys.lists })
}

/** Changes one video, and its thumbnail where another one is chosen. */
export function useChangeVideo(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ changes, thumbnail }: { changes: VideoChanges; thumbnail: File | undefined }) => {
      const changed = await call(changeOwnVideo, { params: { id }, body: changes })
      if (!thumbnail) return changed
      const form = new FormData()
      form.set('thumbnail', thumbnail)
      return call(replaceThumbnail, { params: { id }, body: form })
    },
    onSuccess: (video) => {
      client.setQueryData(studioVideoQuery(id).queryKey, video)
      return refreshVideos(client)
    },
  })
}

/** Makes the frame at a position in seconds the thumbnail. */
export function useThumbnailFrame(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (seconds: number) => call(chooseThumbnailFrame, { params: { id }, body: { seconds } }),
    onSuccess: (video) => {
      client.setQueryData(studioVideoQuery(id).queryKey, video)
      return refreshVideos(client)
    },
  })
}

/** Changes several videos of a channel. Returns what happened to each. */
export function useChangeVideos(channel: string | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (videos: BodyInputOf<typeof changeOwnVideos>['videos']) =>
      call(changeOwnVideos, { query: { channel }, body: { videos } }),
    onSettled: () => refreshVideos(client),
  })
}

/** Deletes several videos of a channel, also while the page is being left. Returns what happened to each. */
export function useDeleteVideos(channel: string | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) =>
      call(deleteOwnVideos, { query: { channel }, body: { ids } }, (path, init) =>
        fetch(path, { ...init, keepalive: true }),
      ),
    onSettled: () => refreshVideos(client),
  })
}

/** Deletes one video: an own one, or of a channel that the user manages. */
export function useDeleteVideo(channel?: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      if (channel === undefined) return call(deleteVideo, { params: { id } })
      const [result] = await call(deleteOwnVideos, { query: { channel }, body: { ids: [id] } })
      if (result?.error) throw new Error(result.error)
      return null
    },
    onSettled: () => refreshVideos(client),
  })
}

/** The change that restores the current visibility of a video. */
export function visibilityOf({ visibility, heldVisibility, publishAt, premiereAt }: OwnVideo): BulkChanges {
  return {
    visibility: heldVisibility ?? visibility,
    ...(publishAt === null ? {} : { publishAt, isPremiere: publishAt === premiereAt }),
  }
}

/** Suggests chapters by the captions of an own video, the default ones first. Those without any have none. */
export function useSuggestedChapters(
  videoId: string,
  durationSeconds: number,
  onSuccess: (chapters: readonly ChapterStart[]) => void,
) {
  return useMutation({
    mutationFn: async (): Promise<ChapterStart[]> => {
      const [captions] = await call(listOwnCaptions, { params: { id: videoId } })
      if (!captions) return []
      const response = await fetch(captions.url)
      if (!response.ok) throw new Error(`Captions returned ${response.status}`)
      return suggestChapters(parseCaptions(await response.text()).cues, durationSeconds)
    },
    onSuccess: (chapters) => {
      if (chapters.length > 0) onSuccess(chapters)
    },
  })
}
