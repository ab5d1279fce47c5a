import type { Config } from '../../../config.ts'
import type { Db } from '../../../database.ts'
import { AppError } from '../../../platform/errors.ts'
import { formatBytes } from '../../../platform/format-bytes.ts'
import { findQuota, lockUploadsOf, sumVideosOf } from '../queries.ts'

type Quota = Pick<Config, 'quotaBytes' | 'quotaVideos' | 'quotaHours'>

/** What an account may upload: its own quota, then that of the site. */
export async function quotaOf(db: Db, config: Quota, userId: string): Promise<Quota> {
  const own = await findQuota(db, userId)
  return {
    quotaBytes: own?.quotaBytes ?? config.quotaBytes,
    quotaVideos: own?.quotaVideos ?? config.quotaVideos,
    quotaHours: config.quotaHours,
  }
}

/** Whether a quota limits anything. */
export const isLimited = ({ quotaBytes, quotaVideos, quotaHours }: Quota) =>
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
  const quota = await quotaOf(db, config, ownerId)
  if (!isLimited(quota)) return
  const { quotaBytes, quotaVideos, quotaHours } = quota
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

/** The upload would exceed the quota of its owner. */
export class QuotaExceeded extends AppError {}

const exceeds = (quota: string, used: string) =>
  new QuotaExceeded(
    'too_large',
    `This upload exceeds your quota of ${quota}. You use ${used}. Delete a video to make room.`,
  )

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
