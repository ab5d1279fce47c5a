import { urlOf } from '@kinora/contract/client.ts'
import type { UnreadCount } from '@kinora/contract/messages/notifications.ts'
import { followProcessing } from '@kinora/contract/videos/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenToEvents } from '../../../lib/browser/event-stream.ts'
import { notificationKeys, toDecideKey } from '../../../lib/query-keys.ts'
import { unreadQuery } from './unread.ts'

/** The page loads first: the stream occupies a connection for as long as the page is open. */
const OPEN_AFTER_MS = 3000

/**
 * Keeps the number of unread notifications current while the page is visible. Hidden tabs have no stream, because HTTP/1.1
 * browsers allow six connections per site.
 */
export function useUnreadEvents(): void {
  const client = useQueryClient()
  useEffect(() => {
    let stop: (() => void) | undefined
    const close = () => {
      stop?.()
      stop = undefined
    }
    const open = () => {
      if (stop || document.hidden) return
      stop = listenToEvents(urlOf(followProcessing), {
        // the stream begins with the count, which a listener that comes later has missed
        onOpen: (isShared) => void (isShared && client.invalidateQueries(unreadQuery)),
        on: {
          notifications: (data) => {
            client.setQueryData(unreadQuery.queryKey, JSON.parse(data) as UnreadCount)
            void client.invalidateQueries({ queryKey: notificationKeys.list })
            void client.invalidateQueries({ queryKey: toDecideKey })
          },
        },
      })
    }
    const onVisibility = () => (document.hidden ? close() : open())
    const timer = setTimeout(() => {
      open()
      document.addEventListener('visibilitychange', onVisibility)
    }, OPEN_AFTER_MS)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    }
  }, [client])
}
