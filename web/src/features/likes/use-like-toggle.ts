import { call } from '@kinora/contract/client.ts'
import { toggleVideoLike } from '@kinora/contract/likes.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Liking a video, shown at once and taken back when the server refuses. Quick clicks are sent one after the other; only
 * the last answer is believed, because those before it are out of date when they come.
 */
export function useLikeToggle({
  videoId,
  onFlip,
  onAnswer,
  onRefused,
}: {
  videoId: string
  /** Turns what is shown into its opposite; called a second time to take it back. */
  onFlip: () => void
  onAnswer: (state: { liked: boolean; totalLikes: number }) => void
  /** Told while the page that asked is still there. */
  onRefused: (error: unknown) => void
}): () => void {
  const client = useQueryClient()
  const mutationKey = ['likes', videoId, 'toggle']
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: () => call(toggleVideoLike, { params: { id: videoId } }),
    onMutate: onFlip,
    onError: (error) => {
      onFlip()
      // Said nowhere on the page, by specification.
      console.error('Liking failed', error)
    },
    onSuccess: (state) => {
      if (client.isMutating({ mutationKey }) === 1) onAnswer(state)
    },
  })
  return () => mutate(undefined, { onError: onRefused })
}
