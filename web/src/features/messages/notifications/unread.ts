import { call } from '@kinora/contract/client.ts'
import { countUnreadNotifications } from '@kinora/contract/messages/notifications.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { notificationKeys } from '../../../lib/query-keys.ts'

/** How many notifications are unread. Events update it. */
export const unreadQuery = queryOptions({
  queryKey: notificationKeys.unread,
  queryFn: ({ signal }) => call(countUnreadNotifications, { signal }),
  staleTime: Infinity,
})

/** Key of the number of unread notifications that an account had when it last opened their page in this browser. */
const seenKeyOf = (userId: string) => `kinora.seen-notifications.${userId}`

/** Notifications that were unread when their page was last opened; the bell does not count them again. */
export function seenQuery(userId: string) {
  return queryOptions({
    queryKey: notificationKeys.seen(userId),
    queryFn: () => loadSeen(userId),
    staleTime: Infinity,
  })
}

function loadSeen(userId: string): number {
  try {
    return Number(localStorage.getItem(seenKeyOf(userId))) || 0
  } catch {
    // Storage may be blocked.
    return 0
  }
}

/** Keeps how many unread notifications the person has seen in their list. */
export function saveSeen(client: QueryClient, userId: string, unread: number): void {
  try {
    localStorage.setItem(seenKeyOf(userId), String(unread))
  } catch {
    // Storage may be blocked or full: the bell counts them again after a reload.
  }
  client.setQueryData(seenQuery(userId).queryKey, unread)
}
