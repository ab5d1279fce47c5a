import type { Video } from '@kinora/contract/videos/videos.ts'
import { type RefObject, useEffect, useRef } from 'react'
import { useMatch } from 'react-router'

/**
 * Restores the focus after a deletion, because the link that opened the dialog is gone: to the next row, else the last
 * one, or the list itself if it is empty.
 */
export function useFocusAfterDeletion(list: RefObject<HTMLElement | null>, videos: readonly Video[]): void {
  const askedId = useMatch('/c/:channelId/dashboard/delete/:videoId')?.params.videoId
  const place = useRef<number>(undefined)
  useEffect(() => {
    if (askedId !== undefined) {
      const index = videos.findIndex(({ _id }) => _id === askedId)
      if (index >= 0) place.current = index
      return
    }
    if (place.current === undefined) return
    if (document.activeElement === document.body) {
      const titles = list.current?.querySelectorAll<HTMLElement>('article h3 a') ?? []
      const title = titles[Math.min(place.current, titles.length - 1)]
      ;(title ?? list.current)?.focus()
    }
    place.current = undefined
  }, [list, askedId, videos])
}
