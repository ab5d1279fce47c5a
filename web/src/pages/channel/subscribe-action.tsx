import type { ListedChannel } from '@kinora/contract/watching/channels.ts'
import { useState } from 'react'
import { isSameUsername, useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { useOnRefused } from '../../features/accounts/sessions/use-on-refused.ts'
import { SubscribeButton } from '../../features/watching/subscriptions/subscribe-button.tsx'
import { useSubscriptionToggle } from '../../features/watching/subscriptions/use-subscription-toggle.ts'

/** Subscribes to a channel of a list, for members other than its owner. */
export function SubscribeAction({ channel }: { channel: ListedChannel }) {
  const { authData } = useAuth()
  const [isSubscribed, setSubscribed] = useState(channel.isSubscribed)
  const { toggle, hasFailed } = useSubscriptionToggle({
    username: channel.username,
    onFlip: () => setSubscribed((before) => !before),
    onResponse: ({ subbed }) => setSubscribed(subbed),
    onRefused: useOnRefused(),
  })
  if (!authData || isSameUsername(authData.username, channel.username)) return null
  return <SubscribeButton isSubscribed={isSubscribed} hasFailed={hasFailed} onToggle={toggle} />
}
