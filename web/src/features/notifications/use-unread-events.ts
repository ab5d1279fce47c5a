import { urlOf } from '@kinora/contract/client.ts'
import type { UnreadCount } from '@kinora/contract/notifications.ts'
import { followProcessing } from '@kinora/contract/videos.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notificationsQuery, unreadQuery } from './api.ts'

/** The page loads first: the stream occupies a connection for as long as the page is open. */
const OPEN_AFTER_MS = 3000

/**
 * Keeps the number of unread notifications current while the page is visible. Hidden tabs have no stream, because HTTP/1.1
 * browsers allow six connections per site.
 */
export function useUnreadEvents(): void {
  const client = useQueryClient()
  useEffect(() => {
    let events: EventSource | undefined
    const close = () => {
      events?.close()
      events = undefined
    }
    const open = () => {
      if (events || document.hidden) return
      events = new EventSource(urlOf(followProcessing))
      events.addEventListener('notifications', ({ data }: MessageEvent<string>) => {
        client.setQueryData(unreadQuery.queryKey, JSON.parse(data) as UnreadCount)
        void client.invalidateQueries({ queryKey: notificationsQuery.queryKey })
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
