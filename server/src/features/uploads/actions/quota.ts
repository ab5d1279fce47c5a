import type { Config } from '../../../config.ts'
import type { Db } from '../../../database.ts'
import { AppError } from '../../../platform/errors.ts'
import { formatBytes } from '../../../platform/format-bytes.ts'
import { lockUploadsOf, sumVideosOf } from '../queries.ts'

type Quota = Pick<Config, 'quotaBytes' | 'quotaVideos' | 'quotaHours'>

/** Whether an account is limited at all. */
export const hasQuota = ({ quotaBytes, quotaVideos, quotaHours }: Quota) =>
  quotaBytes !== undefined || quotaVideos !== undefined || quotaHours !== undefined

/**
 * Throws `too_large` if one more video, or `videos`, of this size and duration would exceed a quota of its owner. What does
 * not grow may exceed it: the quota may have been lowered. In a transaction, other publications of the owner wait until it
 * ends.
 */
export async function assertQuota(
  { db, config }: { db: Db; config: Quota },
  ownerId: string,
  { videos = 1, bytes = 0, seconds = 0 }: { videos?: number; bytes?: number; seconds?: number },
): Promise<void> {
  if (!hasQuota(config)) return
  const { quotaBytes, quotaVideos, quotaHours } = config
  if (db.isTransaction) await lockUploadsOf(db, ownerId)
  const used = await sumVideosOf(db, ownerId)
  if (quotaVideos !== undefined && videos > 0 && used.videos + videos > quotaVideos)
    throw exceeds(plural(quotaVideos, 'video'), plural(used.videos, 'video'))
  if (quotaBytes !== undefined && bytes > 0 && used.bytes + bytes > quotaBytes)
    throw exceeds(formatBytes(quotaBytes), formatBytes(used.bytes))
  const hours = used.seconds / 3600
  if (quotaHours !== undefined && seconds > 0 && hours + seconds / 3600 > quotaHours)
    throw exceeds(`${plural(quotaHours, 'hour')} of video`, `${hours.toFixed(1)} hours`)
}

/** The upload would exceed a quota that the site's settings give its owner. */
export class QuotaExceeded extends AppError {}

const exceeds = (quota: string, used: string) =>
  new QuotaExceeded(
    'too_large',
    `This upload exceeds your quota of ${quota}. You use ${used}. Delete a video to make room.`,
  )

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
