import { call } from '@kinora/contract/client.ts'
import { type EmbedPolicy, getVideoEmbeds, putVideoEmbeds } from '@kinora/contract/videos/embeds.ts'
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
