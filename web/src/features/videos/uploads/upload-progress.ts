import { plural, t } from '@lingui/core/macro'
import { formatBytes } from '../../../lib/format/bytes.ts'

/** Progress of an upload. Speed and time left are unknown at first and during a stall. */
export type UploadProgress = {
  sentBytes: number
  totalBytes: number
  bytesPerSecond: number | undefined
  secondsLeft: number | undefined
}

/** Window of the speed: long enough to be steady, short enough to follow changes. */
const WINDOW_MS = 8_000
const SETTLING_MS = 1_000

/**
 * Computes speed and time left from the bytes sent. A resumed upload starts with the bytes that the server has, which do not
 * count for the speed.
 */
export function createSpeedometer() {
  let samples: { atMs: number; sentBytes: number }[] = []
  return function measure(sentBytes: number, totalBytes: number, atMs: number): UploadProgress {
    // A retry starts over, which invalidates older samples.
    if (sentBytes < (samples.at(-1)?.sentBytes ?? 0)) samples = []
    samples.push({ atMs, sentBytes })
    // One sample older than the window is kept, so that it is always spanned.
    while ((samples[1]?.atMs ?? Infinity) <= atMs - WINDOW_MS) samples.shift()
    const bytesPerSecond = speedOver(samples)
    return {
      sentBytes,
      totalBytes,
      bytesPerSecond,
      secondsLeft: bytesPerSecond ? (totalBytes - sentBytes) / bytesPerSecond : undefined,
    }
  }
}

function speedOver(samples: readonly { atMs: number; sentBytes: number }[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.atMs - first.atMs < SETTLING_MS) return undefined
  const speed = ((last.sentBytes - first.sentBytes) / (last.atMs - first.atMs)) * 1000
  return speed > 0 ? speed : undefined
}

/** Whole percent, rounded down: 100 only when everything is sent. */
export function percentOf({
  sentBytes,
  totalBytes,
}: Pick<UploadProgress, 'sentBytes' | 'totalBytes'>): number {
  return totalBytes > 0 ? Math.floor(Math.min(1, sentBytes / totalBytes) * 100) : 0
}

/** "880 MB of 1.42 GB" */
export function describeSent({ sentBytes, totalBytes }: UploadProgress): string {
  return t`${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}`
}

/** "3.1 MB/s · about 3 minutes left", without the unknown parts. */
export function describePace({ bytesPerSecond, secondsLeft }: UploadProgress): string {
  const parts = []
  if (bytesPerSecond !== undefined) parts.push(`${formatBytes(bytesPerSecond)}/s`)
  if (secondsLeft !== undefined) parts.push(describeTimeLeft(secondsLeft))
  return parts.join(' · ')
}

/** Approximate time left. */
export function describeTimeLeft(secondsLeft: number): string {
  if (secondsLeft < 10) return t`a few seconds left`
  if (secondsLeft < 55) return t`about ${Math.ceil(secondsLeft / 10) * 10} seconds left`
  const minutes = Math.round(secondsLeft / 60)
  if (minutes < 60) return plural(minutes, { one: `about # minute left`, other: `about # minutes left` })
  const hours = Math.round(minutes / 60)
  return plural(hours, { one: `about # hour left`, other: `about # hours left` })
}
