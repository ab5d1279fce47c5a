import { call } from '@kinora/contract/client.ts'
import { toggleSubscription } from '@kinora/contract/subscriptions.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Subscribing, shown at once and taken back when the server refuses. Quick clicks are sent one after the other;
 * only the last answer is believed, because those before it are out of date when they come.
 */
export function useSubscriptionToggle({
  username,
  onFlip,
  onAnswer,
  onRefused,
}: {
  username: string
  /** Turns what is shown into its opposite; called a second time to take it back. */
  onFlip: () => void
  onAnswer: (state: { subbed: boolean; totalSub: number }) => void
  /** Told while the page that asked is still there. One for members only goes by itself when the session has ended. */
  onRefused?: (error: unknown) => void
}): () => void {
  const client = useQueryClient()
  const mutationKey = ['subscriptions', username.toLowerCase(), 'toggle']
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: () => call(toggleSubscription, { params: { username } }),
    onMutate: onFlip,
    onError: (error) => {
      onFlip()
      // Said nowhere on the page, by specification.
      console.error('Subscribing failed', error)
    },
    onSuccess: (state) => {
      if (client.isMutating({ mutationKey }) === 1) onAnswer(state)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
  return () => mutate(undefined, onRefused && { onError: onRefused })
}
