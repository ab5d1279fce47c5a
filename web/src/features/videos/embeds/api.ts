import { call } from '@kinora/contract/client.ts'
import {
  type EmbedPolicy,
  getChannelEmbeds,
  getVideoEmbeds,
  putChannelEmbeds,
  putVideoEmbeds,
} from '@kinora/contract/videos/embeds.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** Sites that may embed an own video. */
export function videoEmbedsQuery(videoId: string) {
  return queryOptions({
    queryKey: ['embeds', videoId],
    queryFn: ({ signal }) => call(getVideoEmbeds, { params: { id: videoId }, signal }),
  })
}

/** Saves the policy of a video; null for that of the channel. */
export function useSaveVideoEmbeds(videoId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (own: EmbedPolicy | null) => call(putVideoEmbeds, { params: { id: videoId }, body: { own } }),
    onSuccess: (saved) => client.setQueryData(videoEmbedsQuery(videoId).queryKey, saved),
  })
}

/** Sites that may embed videos of the own channel. */
export const channelEmbedsQuery = queryOptions({
  queryKey: ['embeds', 'channel'],
  queryFn: ({ signal }) => call(getChannelEmbeds, { signal }),
})

/** Saves the policy of the channel, which counts for its videos without one of their own. */
export function useSaveChannelEmbeds() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (policy: EmbedPolicy) => call(putChannelEmbeds, { body: policy }),
    onSuccess: (saved) => {
      client.removeQueries({ queryKey: ['embeds'], type: 'inactive' })
      client.setQueryData(channelEmbedsQuery.queryKey, saved)
    },
  })
}
