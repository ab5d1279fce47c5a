import { call } from '@kinora/contract/client.ts'
import {
  createLiveKey,
  endOwnLiveStream,
  getLiveChannel,
  getLiveKey,
  getLiveStatus,
  listLiveStreams,
  type LiveTemplate,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** Not in `query-keys.ts`, which every page loads. */
export const liveKeys = {
  channel: ['live', 'channel'],
  key: ['live', 'key'],
  streams: ['live', 'streams'],
  shows: ['live', 'shows'],
  allowed: ['live', 'allowed'],
  status: (videoId: string) => ['live', 'status', videoId],
} as const

/** How often the studio and the watch page ask for news of a stream. */
const STUDIO_MS = 2000
const STATUS_MS = 10_000

/** Everything that the own channel needs to stream, and its stream. */
export const liveChannelQuery = queryOptions({
  queryKey: liveKeys.channel,
  queryFn: ({ signal }) => call(getLiveChannel, { signal }),
  refetchInterval: STUDIO_MS,
})

/** The stream key, which is read only when somebody wants to see it. */
export const liveKeyQuery = queryOptions({
  queryKey: liveKeys.key,
  queryFn: ({ signal }) => call(getLiveKey, { signal }),
})

/** Whether a video is live, and its viewers. */
export const liveStatusQuery = (videoId: string) =>
  queryOptions({
    queryKey: liveKeys.status(videoId),
    queryFn: ({ signal }) => call(getLiveStatus, { params: { id: videoId }, signal }),
    refetchInterval: ({ state: { data } }) => data?.isLive !== false && STATUS_MS,
  })

/** Streams that run now, for moderators. */
export const liveStreamsQuery = queryOptions({
  queryKey: liveKeys.streams,
  queryFn: ({ signal }) => call(listLiveStreams, { signal }),
  refetchInterval: STUDIO_MS,
})

/** Creates the stream key, or replaces it. */
export function useCreateKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(createLiveKey, {}),
    onSuccess: (key) => {
      client.setQueryData(liveKeyQuery.queryKey, key)
      return client.invalidateQueries(liveChannelQuery)
    },
  })
}

export function useSaveTemplate() {
  const client = useQueryClient()
  return async (body: LiveTemplate) => {
    const channel = await call(putLiveTemplate, { body })
    client.setQueryData(liveChannelQuery.queryKey, channel)
  }
}

/** Ends the own stream. */
export function useEndStream() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(endOwnLiveStream, {}),
    onSuccess: (channel) => client.setQueryData(liveChannelQuery.queryKey, channel),
  })
}
