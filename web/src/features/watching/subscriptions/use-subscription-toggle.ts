import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useToggle } from '../../../lib/use-toggle.ts'
import { subscriptionKeys } from '../../../lib/query-keys.ts'

/** Subscribes to a channel, or ends it. */
export function useSubscriptionToggle({
  username,
  ...callbacks
}: {
  username: string
  onFlip: () => void
  onResponse: (state: { subbed: boolean; totalSub: number }) => void
  onRefused: (error: unknown) => void
}) {
  const client = useQueryClient()
  return useToggle({
    ...callbacks,
    mutationKey: ['subscriptions', username.toLowerCase(), 'toggle'],
    send: () => call(toggleSubscription, { params: { username } }),
    onSettled: () => client.invalidateQueries({ queryKey: subscriptionKeys.all }),
    logMessage: t`Subscribing failed`,
  })
}
