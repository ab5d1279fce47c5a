import {
  type AnalyticsPeriod,
  getChannelAnalytics,
  getVideoAnalytics,
} from '@kinora/contract/videos/analytics.ts'
import { call, urlOf } from '@kinora/contract/client.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

/** How all videos of a channel, or of the own one, were watched. */
export function channelAnalyticsQuery(period: AnalyticsPeriod, channel: string | undefined) {
  return queryOptions({
    queryKey: ['analytics', period, { channel }],
    queryFn: ({ signal }) => call(getChannelAnalytics, { query: { period, channel }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** How one video of the caller was watched. */
export function videoAnalyticsQuery(id: string, period: AnalyticsPeriod) {
  return queryOptions({
    queryKey: ['analytics', period, id],
    queryFn: ({ signal }) => call(getVideoAnalytics, { params: { id }, query: { period }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** URL of the days as a CSV file: of one video, or of the channel. */
export function csvUrl(id: string | undefined, period: AnalyticsPeriod, channel?: string): string {
  const path = id === undefined ? urlOf(getChannelAnalytics, {}) : urlOf(getVideoAnalytics, { id })
  return `${path}.csv?${new URLSearchParams({ period, ...(channel && { channel }) })}`
}
