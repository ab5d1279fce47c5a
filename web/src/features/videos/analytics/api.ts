import {
  type AnalyticsPeriod,
  getChannelAnalytics,
  getVideoAnalytics,
} from '@kinora/contract/videos/analytics.ts'
import { call, urlOf } from '@kinora/contract/client.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { analyticsKeys } from '../../../lib/query-keys.ts'

/** How all videos of the caller were watched. */
export function channelAnalyticsQuery(period: AnalyticsPeriod) {
  return queryOptions({
    queryKey: analyticsKeys.ofChannel(period),
    queryFn: ({ signal }) => call(getChannelAnalytics, { query: { period }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** How one video of the caller was watched. */
export function videoAnalyticsQuery(id: string, period: AnalyticsPeriod) {
  return queryOptions({
    queryKey: analyticsKeys.ofVideo(id, period),
    queryFn: ({ signal }) => call(getVideoAnalytics, { params: { id }, query: { period }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** URL of the days as a CSV file: of one video, or of the channel. */
export function csvUrl(id: string | undefined, period: AnalyticsPeriod): string {
  const path = id === undefined ? urlOf(getChannelAnalytics, {}) : urlOf(getVideoAnalytics, { id })
  return `${path}.csv?period=${period}`
}
