import { urlOf } from '@kinora/contract/client.ts'
import { followProcessing, type VideoProcessing } from '@kinora/contract/videos.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
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
    const events = new EventSource(urlOf(followProcessing))
    // No event covers changes before the subscription, so refetch once it is open.
    events.addEventListener('open', () => void client.invalidateQueries(dashboardQuery))
    events.addEventListener('processing', ({ data }: MessageEvent<string>) => {
      const change = JSON.parse(data) as VideoProcessing
      client.setQueryData(
        dashboardQuery.queryKey,
        (dashboard) => dashboard && withProcessing(dashboard, change),
      )
    })
    return () => events.close()
  }, [client, isAnyProcessing])
}
