import type { QueryClient } from '@tanstack/react-query'
import { type Auth, authQuery } from './api.ts'

/** From `followOtherTabs` to the end of the page; missing in some embedded browsers. */
let channel: BroadcastChannel | undefined

/** Notifies the other tabs of this browser of a login or logout. */
export function notifyOtherTabs(): void {
  // A BroadcastChannel has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage('changed')
}

/** Refetches the session when another tab reports a change, and drops data of the previous user. */
export function followOtherTabs(client: QueryClient): void {
  if (typeof BroadcastChannel === 'undefined') return
  channel = new BroadcastChannel('kinora.session')
  channel.addEventListener('message', () => void refreshSession(client))
}

async function refreshSession(client: QueryClient): Promise<void> {
  await client.refetchQueries({ queryKey: authQuery.queryKey, exact: true })
  const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== authQuery.queryKey[0]
  client.removeQueries({ type: 'inactive', predicate: isOther })
  // Guards leave pages that visitors may not see; other data is the same for everyone.
  if (client.getQueryData<Auth>(authQuery.queryKey)?.authStatus)
    await client.invalidateQueries({ predicate: isOther })
}
