import type { QueryClient } from '@tanstack/react-query'
import { createContext } from 'react'
import { type Auth, authQuery } from './api.ts'

/** Notifies the other tabs of this browser of a login or logout. */
export const NotifyOtherTabs = createContext<() => void>(() => {})

/**
 * Refetches the session when another tab reports a change, and drops data of the previous user. Returns the function that
 * notifies the other tabs, which does nothing in browsers without BroadcastChannel.
 */
export function openSessionChannel(client: QueryClient): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const channel = new BroadcastChannel('kinora.session')
  channel.addEventListener('message', () => void refreshSession(client))
  // A BroadcastChannel has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  return () => channel.postMessage('changed')
}

async function refreshSession(client: QueryClient): Promise<void> {
  await client.refetchQueries({ queryKey: authQuery.queryKey, exact: true })
  const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== authQuery.queryKey[0]
  client.removeQueries({ type: 'inactive', predicate: isOther })
  // Guards leave pages that visitors may not see; other data is the same for everyone.
  if (client.getQueryData<Auth>(authQuery.queryKey)?.authStatus)
    await client.invalidateQueries({ predicate: isOther })
}
