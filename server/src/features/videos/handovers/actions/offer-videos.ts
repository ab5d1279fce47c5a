import { handoverDays, handoversPerAccount } from '@kinora/contract/videos/handovers.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { allowLongStatements } from '@kinora/platform/db/pool.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { getUserId } from '../../../accounts/users/queries.ts'
import {
  insertOfferNotification,
  markOfferAsRead,
} from '../../../messages/notifications/queries/collaborations.ts'
import { insertActivity } from '../../collaborators/queries/activity.ts'
import { assertQuota } from '../../uploads/actions/quota.ts'
import { assertNotLive, assertOwner } from '../../videos/actions/change-video.ts'
import { lockVideo } from '../../videos/queries/lock-videos.ts'
import { moveGiven } from '../jobs.ts'
import * as queries from '../queries.ts'
import { moveBatch } from './move-videos.ts'

/**
 * Offers an own video, or all of them, to another account. Throws `not_found` and `forbidden` like other changes of a video,
 * `invalid` for the own account and above the limit of offers, and `conflict` for a video that is taken down or live.
 */
export async function offerVideos(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  giverId: string,
  { username, videoId }: { username: string; videoId: string | null },
): Promise<void> {
  const receiverId = await getUserId(db, username)
  if (receiverId === giverId) throw new AppError(videoErrors.handoverToOneself, { path: 'username' })
  await db.transaction().execute(async (transaction) => {
    if (videoId !== null) {
      const video = await lockVideo(transaction, videoId, giverId)
      assertOwner(video, giverId)
      if (video.takedownReason !== null) throw new AppError(videoErrors.handoverTakenDown)
      await assertNotLive(transaction, videoId)
    }
    if ((await queries.countHandovers(transaction, giverId)) >= handoversPerAccount)
      throw new AppError(videoErrors.handoverLimit, { limit: handoversPerAccount })
    const offer = { id: newId(), giverId, receiverId, videoId, createdAt: clock.now() }
    await queries.replaceHandover(transaction, offer)
    await insertOfferNotification(transaction, 'handover', giverId, receiverId)
  })
}

/** Whether an offer can still be accepted. An old one would give away what nobody thinks of any more. */
const isOpen = ({ createdAt }: { createdAt: Date }, now: Date) =>
  now.getTime() - createdAt.getTime() < handoverDays * dayMs

/** Withdraws or declines an offer. Throws `not_found`. */
export async function endHandover({ db }: Pick<Context, 'db'>, userId: string, id: string): Promise<void> {
  const ended = await queries.deleteHandover(db, id, userId)
  if (!ended) throw new AppError(videoErrors.handoverNotFound)
  await markOfferAsRead(db, 'handover', ended.giverId, ended.receiverId)
}

/**
 * Accepts an offer: its videos belong to the receiver from then on, with their addresses, views, likes and comments. Of a
 * large channel, a job moves what does not fit in the first batch. Throws `not_found` for an offer that has ended or whose
 * giver is suspended, and `too_large` above a quota of the receiver; nothing is given then.
 */
export async function acceptHandover(
  context: Pick<Context, 'db' | 'clock' | 'siteSettings' | 'jobs'>,
  receiverId: string,
  id: string,
): Promise<void> {
  const { db, clock, jobs } = context
  await db.transaction().execute(async (transaction) => {
    const offer = await queries.deleteHandover(transaction, id, receiverId)
    if (!offer || offer.receiverId !== receiverId || !isOpen(offer, clock.now()))
      throw new AppError(videoErrors.handoverNotFound)
    for (const account of [offer.giverId, receiverId])
      if (!(await queries.lockActive(transaction, account))) throw new AppError(videoErrors.handoverNotFound)
    const { giverId, videoId } = offer
    await allowLongStatements(transaction)
    const given = await queries.insertGiven(transaction, { ...offer, givenAt: clock.now() })
    if (given.videos === 0) throw new AppError(videoErrors.handoverNotFound)
    await assertQuota({ ...context, db: transaction }, receiverId, given)
    const moved = await moveBatch(transaction, { giverId, receiverId })
    // another transaction gave or hid it meanwhile
    if (moved === 0) throw new AppError(videoErrors.handoverNotFound)
    if (moved < given.videos) await jobs.enqueue(transaction, moveGiven, { giverId, receiverId })
    await markOfferAsRead(transaction, 'handover', giverId, receiverId)
    // of all videos without one of them: the list names what was given
    const activity = {
      actorId: receiverId,
      videoId: videoId ?? undefined,
      subject: videoId === null ? '' : undefined,
    }
    for (const [channelId, action] of [
      [giverId, 'video_handed_over'],
      [receiverId, 'video_received'],
    ] as const)
      await insertActivity(transaction, { ...activity, channelId, action }, clock.now())
  })
}
