import { announcedHoursAfter } from '@kinora/contract/constants.ts'
import type { AnnouncedStream, StreamAnnouncement } from '@kinora/contract/live/announcements.ts'
import { liveErrors } from '@kinora/contract/live/errors.ts'
import { withPlainPicture } from '@kinora/media/pictures/plain-picture.ts'
import { dayMs, hourMs } from '@kinora/platform/durations.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { mustWaitForApproval } from '../../accounts/new-accounts/actions.ts'
import { insertExpiredNotification } from '../../messages/notifications/queries/account.ts'
import { discardPicture, type PictureContext, storePicture } from '../../pictures/actions.ts'
import { publishVisibility } from '../../visibility/queries.ts'
import { replaceOwnThumbnail } from '../../videos/studio/actions.ts'
import { assertQuota } from '../../videos/uploads/actions/quota.ts'
import { lockUploadsOf } from '../../videos/uploads/queries.ts'
import { deleteOwnVideo } from '../../videos/video-deletion/actions/delete-video.ts'
import { hideFiles } from '../../videos/videos/actions/hide-video.ts'
import { expireAnnounced } from '../../videos/videos/queries/live.ts'
import { lockAnyVideo } from '../../videos/videos/queries/lock-videos.ts'
import {
  type Announced,
  countAnnounced,
  findAnnounced,
  insertAnnouncement,
  keepPicture,
  updateAnnouncement,
} from '../live-streams/queries/announcements.ts'
import { MAX_ANNOUNCED } from '../live-streams/rules/streams.ts'

type AnnounceContext = Pick<Context, 'db' | 'clock' | 'storage' | 'siteSettings' | 'config'>

const latestMs = 366 * dayMs
const pictureSize = { width: 1280, height: 720 }

/** Announces a live stream at the address that it will have. Throws `invalid`, `conflict`, `forbidden` and `too_large`. */
export async function announceStream(
  context: AnnounceContext & PictureContext,
  ownerId: string,
  announcement: StreamAnnouncement,
): Promise<AnnouncedStream> {
  const { db, clock, storage } = context
  const announced = toAnnounced(context, announcement)
  await assertNeedsNoApproval(context, ownerId)
  const id = newId()
  const thumbnail = await withPlainPicture(
    ownerId,
    (file) => storePicture(context, file, 'thumbnail'),
    pictureSize,
  )
  try {
    // files of a stream that begins are those of a video that nobody may see
    for (const mark of [id, thumbnail]) await hideFiles({ storage }, mark)
    await db.transaction().execute(async (transaction) => {
      await assertQuota({ ...context, db: transaction }, ownerId, { videos: 1 })
      await lockUploadsOf(transaction, ownerId)
      if ((await countAnnounced(transaction, ownerId)) >= MAX_ANNOUNCED)
        throw new AppError(liveErrors.announcedLimit, { limit: MAX_ANNOUNCED })
      await insertAnnouncement(transaction, { id, ownerId, thumbnail, now: clock.now() }, announced)
      await publishVisibility(transaction, id)
    })
  } catch (error) {
    await discardPicture({ storage }, thumbnail)
    throw error
  }
  return getAnnounced(db, ownerId, id)
}

/** Changes an announced stream of a channel. Its reminders, and what was written in its chat, stay. */
export async function changeAnnouncement(
  context: AnnounceContext,
  ownerId: string,
  videoId: string,
  announcement: StreamAnnouncement,
): Promise<AnnouncedStream> {
  return context.db.transaction().execute(async (transaction) => {
    await lockAnnounced(transaction, ownerId, videoId)
    const before = await getAnnounced(transaction, ownerId, videoId)
    const isSameTime = !before.hasExpired && Date.parse(before.startsAt) === Date.parse(announcement.startsAt)
    await updateAnnouncement(transaction, videoId, toAnnounced(context, announcement, { isSameTime }))
    await publishVisibility(transaction, videoId)
    return getAnnounced(transaction, ownerId, videoId)
  })
}

/** Locks the announced stream of a channel until the end of the transaction. Throws `not_found`, also if it was taken down. */
async function lockAnnounced(db: Db, ownerId: string, videoId: string) {
  if (!(await findAnnounced(db, ownerId, videoId))) throw announcedNotFound()
  const video = await lockAnyVideo(db, videoId)
  // it may have begun meanwhile
  const { takedownReason } = await getAnnounced(db, ownerId, videoId)
  if (takedownReason !== null) throw announcedNotFound()
  return video
}

/** Replaces the picture of an announced stream of a channel. Throws `not_found`, and `invalid` for a file that is no picture. */
export async function replaceAnnouncedPicture(
  context: Parameters<typeof replaceOwnThumbnail>[0],
  ownerId: string,
  videoId: string,
  file: string,
): Promise<AnnouncedStream> {
  await replaceOwnThumbnail(context, videoId, ownerId, file, {
    lock: async (transaction) => {
      const video = await lockAnnounced(transaction, ownerId, videoId)
      await keepPicture(transaction, videoId)
      return video
    },
  })
  return getAnnounced(context.db, ownerId, videoId)
}

export async function cancelAnnouncement(
  context: Parameters<typeof deleteOwnVideo>[0],
  ownerId: string,
  videoId: string,
): Promise<void> {
  await getAnnounced(context.db, ownerId, videoId)
  await deleteOwnVideo(context, videoId, ownerId, async (transaction) => {
    await getAnnounced(transaction, ownerId, videoId)
  })
}

/** Ends announcements of streams that did not begin, and notifies their channels. */
export async function endMissedAnnouncements({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    const expired = await expireAnnounced(
      transaction,
      new Date(clock.now().getTime() - announcedHoursAfter * hourMs),
    )
    for (const { videoId, channelId } of expired) {
      await publishVisibility(transaction, videoId)
      await insertExpiredNotification(transaction, channelId, videoId)
    }
    return expired.map(({ videoId }) => videoId)
  })
}

/** An announced stream of a channel. Throws `not_found`. */
export async function getAnnounced(db: Db, ownerId: string, videoId: string): Promise<AnnouncedStream> {
  const announced = await findAnnounced(db, ownerId, videoId)
  if (!announced) throw announcedNotFound()
  return announced
}

const announcedNotFound = () => new AppError(liveErrors.announcedNotFound)

function toAnnounced(
  { clock }: Pick<Context, 'clock'>,
  { startsAt, ...announcement }: StreamAnnouncement,
  { isSameTime = false } = {},
): Announced {
  const at = new Date(startsAt)
  const nowMs = clock.now().getTime()
  const path = 'startsAt'
  if (!isSameTime && at.getTime() <= nowMs) throw new AppError(liveErrors.announcedPast, { path })
  if (at.getTime() > nowMs + latestMs) throw new AppError(liveErrors.announcedTooLate, { path })
  return { ...announcement, startsAt: at }
}

/** Moderators approve videos, and there is none yet. */
async function assertNeedsNoApproval(context: AnnounceContext, ownerId: string): Promise<void> {
  if (await mustWaitForApproval(context, ownerId)) throw new AppError(liveErrors.announcedApproval)
}
