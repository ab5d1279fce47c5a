import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { toggleVideoLike } from '@kinora/contract/conversation/likes.ts'
import { useToggle } from '../../../lib/use-toggle.ts'

/** Likes a video, or removes the like. */
export function useLikeToggle({
  videoId,
  ...callbacks
}: {
  videoId: string
  onFlip: () => void
  onResponse: (state: { liked: boolean; totalLikes: number }) => void
  onRefused: (error: unknown) => void
}) {
  return useToggle({
    ...callbacks,
    mutationKey: ['likes', videoId, 'toggle'],
    send: () => call(toggleVideoLike, { params: { id: videoId } }),
    logMessage: t`Liking failed`,
  })
}
