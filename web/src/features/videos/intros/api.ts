import { call } from '@kinora/contract/client.ts'
import {
  getChannelIntros,
  getVideoIntros,
  type Intros,
  putChannelIntros,
  putVideoIntros,
} from '@kinora/contract/videos/intros.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { introKeys } from '../../../lib/studio-keys.ts'

/** The intro and the outro of the own channel, and the videos to choose from. */
export const channelIntrosQuery = queryOptions({
  queryKey: introKeys.channel,
  queryFn: ({ signal }) => call(getChannelIntros, { signal }),
})

/** Saves the choice of the channel. */
export function useSaveChannelIntros() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (intros: Intros) => call(putChannelIntros, { body: intros }),
    onSuccess: (saved) => {
      client.removeQueries({ queryKey: introKeys.channel, type: 'inactive' })
      client.setQueryData(channelIntrosQuery.queryKey, saved)
    },
  })
}

/** Whether an own video plays with the intro and the outro of its channel. */
export function videoIntrosQuery(videoId: string) {
  return queryOptions({
    queryKey: introKeys.ofVideo(videoId),
    queryFn: ({ signal }) => call(getVideoIntros, { params: { id: videoId }, signal }),
  })
}

/** Saves the choice of a video. */
export function useSaveVideoIntros(videoId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (isOn: boolean) => call(putVideoIntros, { params: { id: videoId }, body: { isOn } }),
    onSuccess: (saved) => client.setQueryData(videoIntrosQuery(videoId).queryKey, saved),
  })
}
