import type { UploadQuota } from '@kinora/contract/videos/uploads.ts'

/** Limit that ends a recording when it is reached. */
export type RecordingLimit = 'storage' | 'day' | 'hours' | 'length' | 'size' | 'longest'

/** The server accepts videos of up to twelve hours; encoders may write a little more. */
const longestSeconds = 12 * 3600 - 60
/** Recordings end this much before a limit, for what is written after the last picture. */
const reserveSeconds = 3
const reserveBytes = 1024 * 1024

/** How a recording has grown: `used…` of the quota are as they were when it began. */
export interface Growth {
  quota: UploadQuota | undefined
  /** The size that the site accepts. */
  maxBytes: number
  positionSeconds: number
  recordedBytes: number
  /** Expected until a recording has become long enough to tell. */
  usualBytesPerSecond: number
}

/** Seconds until the first limit is reached, and which one it is. */
export function timeLeft({ quota, maxBytes, ...growth }: Growth): { seconds: number; limit: RecordingLimit } {
  const { positionSeconds, recordedBytes, usualBytesPerSecond } = growth
  const measured = positionSeconds > 10 ? recordedBytes / positionSeconds : 0
  const bytesPerSecond = Math.max(measured, measured === 0 ? usualBytesPerSecond : 1)
  const ofBytes = (limit: number | null | undefined, used = 0) =>
    limit === null || limit === undefined
      ? Number.POSITIVE_INFINITY
      : (limit - used - reserveBytes - recordedBytes) / bytesPerSecond
  const ofSeconds = (limit: number | null | undefined, used = 0) =>
    limit === null || limit === undefined
      ? Number.POSITIVE_INFINITY
      : limit - used - reserveSeconds - positionSeconds
  const hours = (count: number | null | undefined) =>
    count === null || count === undefined ? count : count * 3600
  const minutes = quota?.quotaVideoMinutes
  const limits: [RecordingLimit, number][] = [
    ['longest', longestSeconds - positionSeconds],
    ['size', ofBytes(maxBytes)],
    ['storage', ofBytes(quota?.quotaBytes, quota?.usedBytes)],
    ['day', ofBytes(quota?.quotaDailyBytes, quota?.usedDailyBytes)],
    ['hours', ofSeconds(hours(quota?.quotaHours), (quota?.usedHours ?? 0) * 3600)],
    ['length', ofSeconds(minutes === null || minutes === undefined ? minutes : minutes * 60)],
  ]
  const [limit, seconds] = limits.reduce((first, each) => (each[1] < first[1] ? each : first))
  return { seconds: Math.max(0, seconds), limit }
}
