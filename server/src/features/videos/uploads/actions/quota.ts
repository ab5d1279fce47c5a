import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { QuotaSettings } from '@kinora/contract/operations/site.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { findNewAccountLimit, newAccountLimitError } from '../../../accounts/new-accounts/actions.ts'
import {
  findQuota,
  hasUploadedBytes,
  insertUploadedBytes,
  listUploadedBytes,
  lockUploadsOf,
  sumVideosOf,
} from '../queries.ts'

type QuotaContext = Pick<Context, 'db' | 'siteSettings' | 'clock'>

/** Quota of an account: its own, then that of the site. */
export async function getQuota(
  { db, siteSettings }: Pick<QuotaContext, 'db' | 'siteSettings'>,
  userId: string,
): Promise<QuotaSettings> {
  const own = await findQuota(db, userId)
  const { quotaBytes, quotaVideos, quotaHours, quotaDailyBytes, quotaVideoMinutes } = siteSettings.current
  return {
    quotaBytes: own?.quotaBytes ?? quotaBytes,
    quotaVideos: own?.quotaVideos ?? quotaVideos,
    quotaHours,
    quotaDailyBytes: own?.quotaDailyBytes ?? quotaDailyBytes,
    quotaVideoMinutes: own?.quotaVideoMinutes ?? quotaVideoMinutes,
  }
}

/** Whether a quota limits anything. */
export const isLimited = (quota: QuotaSettings) => Object.values(quota).some((limit) => limit !== null)

/** Increase of the owner's usage by an upload. */
interface Addition {
  /** One by default. */
  videos?: number
  bytes?: number
  seconds?: number
  /** Bytes that count for the day, which deletion does not give back. */
  dailyBytes?: number
  /** Length of the video. */
  videoSeconds?: number
}

/**
 * Throws `too_large` if an upload would exceed a quota of its owner. What does not grow may exceed it: the quota may have
 * been lowered. In a transaction, other publications of the owner wait until it ends.
 */
export async function assertQuota(
  { db, siteSettings, clock }: QuotaContext,
  ownerId: string,
  { videos = 1, bytes = 0, seconds = 0, dailyBytes = 0, videoSeconds = 0 }: Addition,
): Promise<void> {
  const quota = await getQuota({ db, siteSettings }, ownerId)
  if (!isLimited(quota)) return
  const { quotaBytes, quotaVideos, quotaHours, quotaDailyBytes, quotaVideoMinutes } = quota
  if (quotaVideoMinutes !== null) assertLength(quotaVideoMinutes, videoSeconds)
  if (db.isTransaction) await lockUploadsOf(db, ownerId)
  const used = await sumVideosOf(db, ownerId)
  if (quotaVideos !== null && videos > 0 && used.videos + videos > quotaVideos)
    throw new QuotaExceeded(videoErrors.quotaVideos, { quotaVideos, usedVideos: used.videos })
  if (quotaBytes !== null && bytes > 0 && used.bytes + bytes > quotaBytes)
    throw new QuotaExceeded(videoErrors.quotaBytes, {
      quota: formatBytes(quotaBytes),
      used: formatBytes(used.bytes),
    })
  const hours = used.seconds / 3600
  if (quotaHours !== null && seconds > 0 && hours + seconds / 3600 > quotaHours)
    throw new QuotaExceeded(videoErrors.quotaHours, { quotaHours, used: hours.toFixed(1) })
  if (quotaDailyBytes !== null && dailyBytes > 0)
    assertDay(quotaDailyBytes, dailyBytes, await dayOf({ db, clock }, ownerId), clock.now())
}

/**
 * Throws `too_many_requests` if the owner is a new account that has begun too many uploads within 24 hours. Without a time
 * after which clients would retry by themselves: it can be a day. In a transaction, other publications of the owner wait
 * until it ends.
 */
export async function assertNewAccountMayUpload(
  context: Pick<Context, 'db' | 'clock' | 'siteSettings'>,
  ownerId: string,
): Promise<void> {
  const limit = await findNewAccountLimit(context, ownerId, 'uploads')
  if (limit === undefined) return
  if (context.db.isTransaction) await lockUploadsOf(context.db, ownerId)
  const begun = await dayOf(context, ownerId)
  const blocking = begun.at(-limit)
  if (!blocking) return
  const waitMs = freeAt(blocking).getTime() - context.clock.now().getTime()
  throw newAccountLimitError(context, 'uploads', { limit, waitMs })
}

/** Uploads of the last 24 hours, oldest first. */
export const dayOf = ({ db, clock }: Pick<QuotaContext, 'db' | 'clock'>, ownerId: string) =>
  listUploadedBytes(db, ownerId, new Date(clock.now().getTime() - dayMs))

/** When an upload counts no more for the day. */
export const freeAt = ({ uploadedAt }: { uploadedAt: Date }) => new Date(uploadedAt.getTime() + dayMs)

/** Increase of the bytes of the day by an upload: 0 if its beginning has added them already. */
export async function uncountedBytes(db: Db, uploadId: string, sizeBytes: number): Promise<number> {
  return (await hasUploadedBytes(db, uploadId)) ? 0 : sizeBytes
}

/** Counts an upload for the day. */
export async function countUpload(
  { db, clock }: Pick<QuotaContext, 'db' | 'clock'>,
  upload: { uploadId: string; ownerId: string; bytes: number },
): Promise<void> {
  await insertUploadedBytes(db, { ...upload, uploadedAt: clock.now() })
}

/** The upload would exceed the quota of its owner. */
export class QuotaExceeded<const Message extends string = string> extends AppError<Message> {}

/** The field in the error has a resumable upload deleted: no other time makes the video shorter. */
function assertLength(quotaMinutes: number, seconds: number): void {
  // Encoders write a few frames more than they were asked for.
  if (Math.floor(seconds) <= quotaMinutes * 60) return
  const params = { quotaMinutes, length: lengthOf(seconds) }
  throw new QuotaExceeded(videoErrors.quotaLength, params, { path: 'video' })
}

function assertDay(
  quotaBytes: number,
  bytes: number,
  day: { bytes: number; uploadedAt: Date }[],
  now: Date,
): void {
  const used = day.reduce((sum, upload) => sum + upload.bytes, 0)
  if (used + bytes <= quotaBytes) return
  const quota = formatBytes(quotaBytes)
  if (bytes > quotaBytes)
    throw new QuotaExceeded(videoErrors.quotaDailyFile, { quota, size: formatBytes(bytes) })
  let left = used
  const last = day.find((upload) => (left -= upload.bytes) + bytes <= quotaBytes)
  const waitMs = last ? freeAt(last).getTime() - now.getTime() : dayMs
  throw new QuotaExceeded(
    videoErrors.quotaDaily,
    { quota, size: formatBytes(used), waitMs },
    { retryAfterSeconds: waitMs / 1000 },
  )
}

const lengthOf = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
