import { call } from '@kinora/contract/client.ts'
import { type EmbedPolicy, getVideoEmbeds, putVideoEmbeds } from '@kinora/contract/videos/embeds.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { embedKeys } from '../../../lib/query-keys.ts'

/** Sites that may embed an own video. */
export function videoEmbedsQuery(videoId: string) {
  return queryOptions({
    queryKey: embedKeys.ofVideo(videoId),
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
