import { call } from '@kinora/contract/client.ts'
import {
  type ClipChoice,
  type DetailedClip,
  createClip,
  getChannelClipPolicy,
  getClip,
  getClipPolicy,
  listOwnClips,
  listReceivedClips,
  putChannelClipPolicy,
  putClipPolicy,
  renameClip,
} from '@kinora/contract/watching/clips.ts'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { clipKeys } from '../../../lib/rare-keys.ts'

/** A clip that the viewer may see. */
export function clipQuery(clipId: string) {
  return queryOptions({
    queryKey: clipKeys.clip(clipId),
    queryFn: ({ signal }) => call(getClip, { params: { clipId }, signal }),
  })
}

/** Clips that the account made, newest first. */
export const ownClipsQuery = infiniteQueryOptions({
  queryKey: clipKeys.own,
  queryFn: ({ pageParam, signal }) => call(listOwnClips, { query: pageQuery(pageParam), signal }),
  initialPageParam: firstPage,
  getNextPageParam: (page) => page.nextCursor,
})

/** Clips of the videos of a channel, or of the own one, newest first. */
export function receivedClipsQuery(channel: string | undefined) {
  return infiniteQueryOptions({
    queryKey: clipKeys.received(channel),
    queryFn: ({ pageParam, signal }) =>
      call(listReceivedClips, { query: { ...pageQuery(pageParam), channel }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** Makes a clip. */
export async function makeClip(
  client: QueryClient,
  body: { videoId: string; title: string; startSeconds: number; endSeconds: number; durationSeconds: number },
): Promise<DetailedClip> {
  const clip = await call(createClip, { body })
  client.setQueryData(clipQuery(clip._id).queryKey, clip)
  void client.invalidateQueries({ queryKey: clipKeys.own })
  return clip
}

/** Changes the title of an own clip. */
export async function saveTitle(client: QueryClient, clipId: string, title: string): Promise<void> {
  const clip = await call(renameClip, { params: { clipId }, body: { title } })
  client.setQueryData(clipQuery(clipId).queryKey, clip)
  await client.invalidateQueries({ queryKey: clipKeys.own })
}

/** Whether viewers may make clips of an own video. */
export function clipPolicyQuery(videoId: string) {
  return queryOptions({
    queryKey: clipKeys.policy(videoId),
    queryFn: ({ signal }) => call(getClipPolicy, { params: { id: videoId }, signal }),
  })
}

/** Saves the choice of a video. */
export function useSaveClipPolicy(videoId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (clips: ClipChoice) => call(putClipPolicy, { params: { id: videoId }, body: { clips } }),
    onSuccess: (saved) => client.setQueryData(clipPolicyQuery(videoId).queryKey, saved),
  })
}

/** Whether viewers may make clips of videos of the own channel without a choice of their own. */
export const channelClipPolicyQuery = queryOptions({
  queryKey: clipKeys.channelPolicy,
  queryFn: ({ signal }) => call(getChannelClipPolicy, { signal }),
})

/** Saves the choice of the channel. */
export function useSaveChannelClipPolicy() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (clips: ClipChoice) => call(putChannelClipPolicy, { body: { clips } }),
    onSuccess: (saved) => {
      client.removeQueries({ queryKey: clipKeys.channelPolicy, type: 'inactive' })
      client.setQueryData(channelClipPolicyQuery.queryKey, saved)
    },
  })
}
