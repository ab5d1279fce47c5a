import { call } from '@kinora/contract/client.ts'
import { announcedMinutesBefore } from '@kinora/contract/constants.ts'
import {
  type AnnouncedStream,
  announceStream,
  cancelAnnouncedStream,
  changeAnnouncedStream,
  listAnnouncedStreams,
  replaceAnnouncedPicture,
  type StreamAnnouncement,
} from '@kinora/contract/live/announcements.ts'
import {
  createLiveKey,
  endOwnLiveStream,
  getLiveChannel,
  getLiveKey,
  getLiveStatus,
  type LiveChannel,
  listLiveShows,
  listLiveStreams,
  type LiveTemplate,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isNotFound } from '../../../lib/is-not-found.ts'

/** Not in `query-keys.ts`, which every page loads. */
export const liveKeys = {
  channel: ['live', 'channel'],
  key: ['live', 'key'],
  streams: ['live', 'streams'],
  shows: ['live', 'shows'],
  announced: ['live', 'announced'],
  allowed: ['live', 'allowed'],
  status: (videoId: string) => ['live', 'status', videoId],
  recording: (videoId: string) => ['live', 'recording', videoId],
} as const

/** How often the studio and the watch page ask for news of a stream. */
const STUDIO_MS = 2000
const STATUS_MS = 10_000

/** Everything that the own channel needs to stream, and its stream. */
export const liveChannelQuery = queryOptions({
  queryKey: liveKeys.channel,
  queryFn: async ({ signal, client }) => {
    const channel = await call(getLiveChannel, { signal })
    refreshAnnounced(client, channel)
    return channel
  },
  refetchInterval: STUDIO_MS,
})

/** Loads the announced streams again when another stream has begun or ended: it may be one of them. */
function refreshAnnounced(client: QueryClient, { stream }: LiveChannel): void {
  const before = client.getQueryData<LiveChannel>(liveKeys.channel)
  if (!before) return
  if (before.stream?.videoId !== stream?.videoId || before.stream?.endedAt !== stream?.endedAt)
    void client.invalidateQueries({ queryKey: liveKeys.announced })
}

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
    refetchInterval: ({ state: { data, error } }) =>
      data?.isLive !== false && !isNotFound(error) && STATUS_MS,
  })

/** Streams that run now, for moderators. */
export const liveStreamsQuery = queryOptions({
  queryKey: liveKeys.streams,
  queryFn: ({ signal }) => call(listLiveStreams, { signal }),
  refetchInterval: STUDIO_MS,
})

export const showsQuery = queryOptions({
  queryKey: liveKeys.shows,
  queryFn: ({ signal }) => call(listLiveShows, { signal }),
})

/** Streams that the own channel has announced. */
export const announcedQuery = queryOptions({
  queryKey: liveKeys.announced,
  queryFn: ({ signal }) => call(listAnnouncedStreams, { signal }),
})

/** Time between checks whether an announced stream is due. */
const DUE_CHECK_MS = 30_000

/** The announced stream that begins if the channel streams now. */
export function useDueStream(): { due: AnnouncedStream | undefined; isPending: boolean } {
  // renders again after each request, because a stream becomes due while the list stays the same
  const { data, dataUpdatedAt, isPending } = useQuery({ ...announcedQuery, refetchInterval: DUE_CHECK_MS })
  return { due: data && findDue(data, dataUpdatedAt), isPending }
}

/** The announced stream that the server would choose: its time is the nearest of those that are due. */
function findDue(announced: readonly AnnouncedStream[], now: number): AnnouncedStream | undefined {
  const distanceMs = ({ startsAt }: AnnouncedStream) => Date.parse(startsAt) - now
  const due = announced.filter(
    (each) =>
      !each.hasExpired && each.takedownReason === null && distanceMs(each) <= announcedMinutesBefore * 60_000,
  )
  return due.sort((a, b) => Math.abs(distanceMs(a)) - Math.abs(distanceMs(b)))[0]
}

/** Announces a stream, or changes an announcement, and its picture if there is another one. */
export function useAnnounce(videoId: string | undefined) {
  const client = useQueryClient()
  // another attempt, after a picture that failed, changes the announcement that is there
  const announcedId = useRef(videoId)
  return useMutation({
    mutationFn: async ({ picture, ...body }: StreamAnnouncement & { picture: File | undefined }) => {
      const announced = await (announcedId.current === undefined
        ? call(announceStream, { body })
        : call(changeAnnouncedStream, { params: { id: announcedId.current }, body }))
      announcedId.current = announced.videoId
      if (!picture) return announced
      const form = new FormData()
      form.set('thumbnail', picture)
      return call(replaceAnnouncedPicture, { params: { id: announced.videoId }, body: form })
    },
    onSettled: () => client.invalidateQueries(announcedQuery),
  })
}

export const cancelAnnounced = (id: string) => call(cancelAnnouncedStream, { params: { id } })

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
    refreshAnnounced(client, channel)
    client.setQueryData(liveChannelQuery.queryKey, channel)
  }
}

/** Ends the own stream. */
export function useEndStream() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(endOwnLiveStream, {}),
    onSuccess: (channel) => {
      refreshAnnounced(client, channel)
      client.setQueryData(liveChannelQuery.queryKey, channel)
    },
  })
}
