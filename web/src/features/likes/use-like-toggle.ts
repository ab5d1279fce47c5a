import { call } from '@kinora/contract/client.ts'
import { toggleVideoLike } from '@kinora/contract/likes.ts'
import { useToggle } from '../../lib/use-toggle.ts'

/** Likes a video, or takes the like back. */
export function useLikeToggle({
  videoId,
  ...told
}: {
  videoId: string
  onFlip: () => void
  onAnswer: (state: { liked: boolean; totalLikes: number }) => void
  onRefused: (error: unknown) => void
}): () => void {
  return useToggle({
    ...told,
    mutationKey: ['likes', videoId, 'toggle'],
    send: () => call(toggleVideoLike, { params: { id: videoId } }),
    failure: 'Liking failed',
  })
}
