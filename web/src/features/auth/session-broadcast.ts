import type { QueryClient } from '@tanstack/react-query'
import { type Auth, authQuery } from './api.ts'

/** From `followOtherTabs` to the end of the page; missing in some embedded browsers. */
let channel: BroadcastChannel | undefined

/** Tells the other tabs of this browser that somebody has signed in or out here. */
export function notifyOtherTabs(): void {
  // A channel reaches its own origin alone, and takes no other.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage('changed')
}

/** Asks anew who is signed in when another tab says that it has changed, and shows nothing of somebody else any more. */
export function followOtherTabs(client: QueryClient): void {
  if (typeof BroadcastChannel === 'undefined') return
  channel = new BroadcastChannel('kinora.session')
  channel.addEventListener('message', () => void refreshSession(client))
}

async function refreshSession(client: QueryClient): Promise<void> {
  await client.refetchQueries({ queryKey: authQuery.queryKey, exact: true })
  const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== authQuery.queryKey[0]
  client.removeQueries({ type: 'inactive', predicate: isOther })
  // What a visitor may not see is left by its page; the rest is the same for everyone.
  if (client.getQueryData<Auth>(authQuery.queryKey)?.authStatus)
    await client.invalidateQueries({ predicate: isOther })
}
