/** A response as Resource Timing reports it: bytes over the network, and when they arrived, in milliseconds. */
export type Transfer = Pick<PerformanceResourceTiming, 'transferSize' | 'responseStart' | 'responseEnd'>

/** Smaller responses end before a connection has gained speed. */
const MIN_TRANSFER_BYTES = 10_000
const MIN_TOTAL_BYTES = 50_000
/** The latest transfers count, so that an estimate follows a viewer from one network to another. */
const COUNTED_TRANSFERS = 20
/** A page is too small to show more: TCP slow start and round trips hide what a faster connection carries. */
export const FAST_BPS = 6_000_000
const CAUTIOUS_BPS = 2_000_000

/**
 * The throughput in bit/s with which to choose the first rendition, or undefined on a fast connection without a measurement,
 * where any rendition starts soon enough.
 *
 * On a slow connection the transfers of the page decide: all bytes over the time in which any of them arrived, so that
 * parallel transfers share it. On a fast connection, a measurement of earlier playback is more exact. If the page was cached,
 * that measurement counts, then the browser's own estimate, then a cautious default.
 */
export function startBandwidthBps(
  transfers: readonly Transfer[],
  earlier: { measuredBps: number | undefined; downlinkMbps: number | undefined },
): number | undefined {
  const { measuredBps, downlinkMbps } = earlier
  const shownBps = throughputBps(transfers)
  if (shownBps === undefined) return measuredBps ?? (downlinkMbps ? downlinkMbps * 1e6 : CAUTIOUS_BPS)
  if (shownBps < FAST_BPS) return shownBps
  return measuredBps === undefined ? undefined : Math.max(measuredBps, shownBps)
}

function throughputBps(transfers: readonly Transfer[]): number | undefined {
  const counted = transfers
    .filter(({ transferSize }) => transferSize >= MIN_TRANSFER_BYTES)
    .toSorted((a, b) => a.responseEnd - b.responseEnd)
    .slice(-COUNTED_TRANSFERS)
  const totalBytes = counted.reduce((sum, { transferSize }) => sum + transferSize, 0)
  if (totalBytes < MIN_TOTAL_BYTES) return undefined
  let busyMs = 0
  let busyUntilMs = 0
  for (const { responseStart, responseEnd } of counted.toSorted(
    (a, b) => a.responseStart - b.responseStart,
  )) {
    busyMs += Math.max(0, responseEnd - Math.max(responseStart, busyUntilMs))
    busyUntilMs = Math.max(busyUntilMs, responseEnd)
  }
  // Browser clocks are coarse: a transfer within one tick would take no time.
  return (totalBytes * 8) / (Math.max(1, busyMs) / 1000)
}
