import { defineLimit } from '../../../context/limits.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'

/** Limit of views per network and video, as a multiple of the limit per viewer. */
const viewersPerNetwork = 10

/** Views that count; more are ignored silently. */
export const viewLimits = defineLimit(({ config, local }) => ({
  ofAddress: local(config.viewsPerMinute, 60),
  /** Per viewer and video. */
  ofViewer: local(config.viewsPerViewerPerHour, 3600),
  /** Per network and video, because a changed User-Agent counts as another viewer. */
  ofNetwork: local(config.viewsPerViewerPerHour * viewersPerNetwork, 3600),
}))

/**
 * Concurrent sums over the videos of large channels: each holds a database connection for up to minutes. Dashboards, which
 * take a second, do not wait for analytics.
 */
export const largeChannelLimits = defineLimit(() => ({
  dashboards: new FairSemaphore({ total: 1, perKey: 1 }),
  analytics: new FairSemaphore({ total: 1, perKey: 1 }),
}))
