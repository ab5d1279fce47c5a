import { ApiError, call } from '@kinora/contract/client.ts'
import {
  deleteCut,
  deleteRemovedParts,
  getCut,
  keepRemovedParts,
  type KeptRange,
  putCut,
  type VideoCut,
} from '@kinora/contract/videos/cuts.ts'
import { getWaveform, requestWaveform } from '@kinora/contract/videos/waveforms.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { cutKeys, studioKeys } from '../../../lib/studio-keys.ts'
import { videoKeys } from '../../../lib/query-keys.ts'

/** Interval at which what is not there yet is asked for again. */
const POLL_MS = 3000

/** The cut of an own video. Its storyboard may come later. */
export function cutQuery(id: string) {
  return queryOptions({
    queryKey: cutKeys.cut(id),
    // an editor that opens with an old copy would undo what another one has published
    gcTime: 0,
    refetchOnWindowFocus: true,
    queryFn: ({ signal }) => call(getCut, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => {
      const isWaiting = data?.uncutStoryboardUrl === null || data?.deletion?.state === 'running'
      return isWaiting ? POLL_MS : false
    },
  })
}

/** The waveform of an own video, which begins to be drawn when it is asked for. */
export function waveformQuery(id: string, durationSeconds: number) {
  return queryOptions({
    // another file has another one
    queryKey: [...cutKeys.waveform(id), durationSeconds],
    queryFn: async ({ signal }) => {
      const found = await call(getWaveform, { params: { id }, signal })
      const { peaks, ...waveform } =
        found.state === 'none' ? await call(requestWaveform, { params: { id } }) : found
      return { ...waveform, peaks: Uint8Array.from(atob(peaks), (each) => each.charCodeAt(0)) }
    },
    staleTime: Infinity,
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? POLL_MS : false),
  })
}

/** Has a waveform drawn again that could not be drawn. */
export function useWaveformAgain(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(requestWaveform, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: cutKeys.waveform(id) }),
  })
}

/** Loads the cut again that was changed by others. */
const reloadChanged = (client: QueryClient, id: string) => (error: unknown) => {
  if (error instanceof ApiError && error.reason === 'cut_changed')
    return client.invalidateQueries({ queryKey: cutKeys.cut(id), exact: true })
}

/** Publishes a cut in place of the one of a time, or ends that for null. */
export function usePublishCut(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ keep, changedAt }: { keep: KeptRange[] | null; changedAt: string | null }) =>
      keep
        ? call(putCut, { params: { id }, body: { keep, changedAt } })
        : call(deleteCut, { params: { id }, query: { changedAt: changedAt ?? undefined } }),
    onError: reloadChanged(client, id),
    onSuccess: async (cut: VideoCut) => {
      client.setQueryData(cutQuery(id).queryKey, cut)
      client.removeQueries({ queryKey: videoKeys.lists, type: 'inactive' })
      client.removeQueries({ queryKey: videoKeys.video(id), type: 'inactive' })
      await client.invalidateQueries({ queryKey: studioKeys.lists })
    },
  })
}

/** Has what a cut removed deleted, by the time at which that was published; stops a deletion for null. */
export function useDeletion(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (publishedAt: string | null) =>
      publishedAt === null
        ? call(keepRemovedParts, { params: { id } })
        : call(deleteRemovedParts, { params: { id }, body: { publishedAt } }),
    onError: reloadChanged(client, id),
    onSuccess: (cut: VideoCut) => client.setQueryData(cutQuery(id).queryKey, cut),
  })
}
