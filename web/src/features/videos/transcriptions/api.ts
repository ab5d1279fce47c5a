import { call } from '@kinora/contract/client.ts'
import {
  cancelTranscription,
  type ChannelTranscriptions,
  getChannelTranscriptions,
  getTranscription,
  putChannelTranscriptions,
  putTranscription,
  requestChannelTranscriptions,
  requestTranscription,
  type Transcription,
} from '@kinora/contract/videos/transcriptions.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { captionKeys } from '../../../lib/rare-keys.ts'
import { transcriptionKeys } from '../../../lib/studio-keys.ts'

/** While something waits or runs, its progress is read again. */
const progressMs = 5000

export const isOpen = ({ state }: Pick<Transcription, 'state'>): boolean =>
  state === 'waiting' || state === 'running'

/** Automatic captions of an own video. The captions of the video are read again once they are done. */
export function useTranscription(videoId: string) {
  const client = useQueryClient()
  return useQuery({
    queryKey: transcriptionKeys.ofVideo(videoId),
    queryFn: async ({ signal, queryKey }) => {
      const before = client.getQueryData<Transcription>(queryKey)
      const now = await call(getTranscription, { params: { id: videoId }, signal })
      if (before && isOpen(before) && !isOpen(now))
        void client.invalidateQueries({ queryKey: captionKeys.own(videoId) })
      return now
    },
    refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data) && progressMs,
  })
}

/** Changes the automatic captions of a video: the choice, a request or its end. */
export function useChangeTranscription(videoId: string) {
  const client = useQueryClient()
  const params = { id: videoId }
  return useMutation({
    mutationFn: (change: { isEnabled: boolean | null } | { language: string | null } | 'cancel') => {
      if (change === 'cancel') return call(cancelTranscription, { params })
      return 'language' in change
        ? call(requestTranscription, { params, body: change })
        : call(putTranscription, { params, body: change })
    },
    onSuccess: (saved) => client.setQueryData(transcriptionKeys.ofVideo(videoId), saved),
  })
}

/** Automatic captions of the own channel. */
export const channelTranscriptionsQuery = queryOptions({
  queryKey: transcriptionKeys.channel,
  queryFn: ({ signal }) => call(getChannelTranscriptions, { signal }),
  refetchInterval: ({ state: { data } }) => data !== undefined && data.waiting > 0 && progressMs,
})

/** Chooses for the channel, or asks for captions of all its videos without any. */
export function useChangeChannelTranscriptions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: { isEnabled: boolean } | 'request'): Promise<ChannelTranscriptions> =>
      change === 'request'
        ? call(requestChannelTranscriptions, {})
        : call(putChannelTranscriptions, { body: change }),
    onSuccess: (saved) => client.setQueryData(channelTranscriptionsQuery.queryKey, saved),
  })
}
