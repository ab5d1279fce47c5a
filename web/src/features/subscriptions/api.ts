import { call } from '@kinora/contract/client.ts'
import { listSubscriptions } from '@kinora/contract/subscriptions.ts'
import { queryOptions } from '@tanstack/react-query'

/** The channels that a user subscribes to, newest first. Invalidate `['subscriptions']` after a toggle. */
export function subscriptionsQuery(username: string) {
  return queryOptions({
    queryKey: ['subscriptions', username.toLowerCase()],
    queryFn: ({ signal }) => call(listSubscriptions, { params: { username }, signal }),
  })
}
