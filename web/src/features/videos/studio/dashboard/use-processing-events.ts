import { urlOf } from '@kinora/contract/client.ts'
import type { VideoProcessing } from '@kinora/contract/videos/videos.ts'
import { followProcessing } from '@kinora/contract/videos/events.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenToEvents } from '../../../../lib/browser/event-stream.ts'
import { dashboardQuery, isProcessing, withProcessing } from './api.ts'

/** Subscribes to processing events while a video is being processed. */
export function useProcessingEvents(): void {
  const client = useQueryClient()
  const { data: isAnyProcessing = false } = useQuery({
    ...dashboardQuery,
    select: ({ userVideos }) => userVideos.some(isProcessing),
  })
  useEffect(() => {
    if (!isAnyProcessing) return undefined
    return listenToEvents(urlOf(followProcessing), {
      // No event covers changes before the subscription, so refetch once it is open.
      onOpen: () => void client.invalidateQueries(dashboardQuery),
      on: {
        processing: (data) => {
          const change = JSON.parse(data) as VideoProcessing
          client.setQueryData(
            dashboardQuery.queryKey,
            (dashboard) => dashboard && withProcessing(dashboard, change),
          )
        },
      },
    })
  }, [client, isAnyProcessing])
}
