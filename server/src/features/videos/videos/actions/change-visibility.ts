import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db, WithinTransaction } from '../../../../context/database.ts'
import { mustWaitForApproval } from '../../../accounts/new-accounts/actions.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { notifyModerators } from '../../../messages/notifications/queries/decisions.ts'
import { deleteRemindersOfCancelled } from '../../../messages/notifications/queries/reminders.ts'
import { withdrawVideo } from '../../../messages/notifications/actions.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { publishScheduled } from '../jobs.ts'
import { type MetadataChanges, updateMetadata } from '../queries/metadata.ts'
import { updateSensitiveMark, updateVideo } from '../queries/videos.ts'
import { lockAnyVideo, type LockedVideo, lockVideo } from '../queries/lock-videos.ts'
import { replaceViewers, updateVisibility } from '../queries/publication.ts'
import { isOpenToAll, visibilityWhileHeld } from '../rules.ts'
import { announceVideo } from './announce-video.ts'
import { assertOwner } from './change-video.ts'
import { hideFiles, showFiles } from './hide-video.ts'

export interface VideoChanges extends MetadataChanges {
  title?: string | undefined
  description?: string | undefined
  visibility?: Visibility | undefined
  /** Goes with the visibility `scheduled`. */
  publishAt?: Date | undefined
  /** Whether everybody watches it together from `publishAt` on. */
  isPremiere?: boolean | undefined
  /** Usernames of all viewers from now on. */
  viewers?: readonly string[] | undefined
  /** Why the content is sensitive; null removes the mark. */
  sensitiveReason?: string | null | undefined
}

type ChangeContext = Pick<Context, 'db' | 'storage' | 'jobs' | 'clock' | 'siteSettings'>

/**
 * Changes an own video; undefined fields stay. Throws `not_found`, `forbidden` for other users, and `invalid` with the
 * wrong field.
 */
export async function changeVideo(
  context: ChangeContext,
  id: string,
  userId: string,
  {
    title,
    description,
    visibility,
    publishAt,
    isPremiere,
    viewers,
    sensitiveReason,
    ...metadata
  }: VideoChanges,
  alsoCheck: (transaction: Db) => Promise<void> = async () => undefined,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const video = await lockVideo(transaction, id, userId)
    assertOwner(video, userId)
    await alsoCheck(transaction)
    if (viewers) await nameViewers({ db: transaction }, id, viewers)
    if (title !== undefined || description !== undefined)
      await updateVideo(transaction, id, { title, description })
    await updateMetadata(transaction, id, metadata)
    if (sensitiveReason !== undefined && sensitiveReason !== video.sensitiveReason) {
      if (video.sensitiveByModerator)
        throw new AppError(videoErrors.sensitiveByModerator, { path: 'sensitiveReason' })
      await updateSensitiveMark(transaction, id, sensitiveReason, false)
    }
    if (visibility)
      await setVisibility(
        { ...context, db: transaction },
        { ...video, id },
        { visibility, publishAt, isPremiere },
      )
  })
  // after the commit: files become public once the row says so
  if (visibility && isOpenToAll(visibility)) await showFiles(context, id)
}

/** Marks a video of anybody as sensitive, so that only moderators can change the mark; null removes it. Throws `not_found`. */
export async function markSensitive(
  { db }: Pick<Context, 'db'>,
  id: string,
  reason: string | null,
  withinTransaction: WithinTransaction,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockAnyVideo(transaction, id)
    await updateSensitiveMark(transaction, id, reason, true)
    await withinTransaction(transaction)
  })
}

async function nameViewers(
  { db }: Pick<Context, 'db'>,
  id: string,
  usernames: readonly string[],
): Promise<void> {
  const unknown = await replaceViewers(db, id, usernames)
  if (unknown.length === 0) return
  throw new AppError(videoErrors.noSuchViewers, { names: unknown.join(', ') }, { path: 'viewers' })
}

async function setVisibility(
  context: ChangeContext,
  video: LockedVideo & { id: string },
  {
    visibility,
    publishAt,
    isPremiere,
  }: Pick<VideoChanges, 'publishAt' | 'isPremiere'> & { visibility: Visibility },
): Promise<void> {
  const isScheduled = visibility === 'scheduled'
  // its own time may have passed while it waited for approval
  const isNewTime = publishAt?.getTime() !== video.publishAt?.getTime()
  if (isScheduled && (publishAt === undefined || (isNewTime && publishAt <= context.clock.now())))
    throw new AppError(videoErrors.publishAtPast, { path: 'publishAt' })
  const isHeld =
    visibility !== 'private' &&
    (video.heldVisibility !== null || video.wasHeld || (await mustWaitForApproval(context, video.ownerId)))
  await show(context, video, {
    visibility: isHeld ? visibilityWhileHeld(visibility) : visibility,
    heldVisibility: isHeld ? visibility : null,
    publishAt: isScheduled && publishAt ? publishAt : null,
    isPremiere: isPremiere ?? null,
  })
  if (isHeld && video.heldVisibility === null) await notifyModerators(context.db, video.ownerId)
}

async function show(
  { db, storage, jobs, clock }: Omit<ChangeContext, 'siteSettings'>,
  { id, thumbnail }: LockedVideo & { id: string },
  state: Omit<Parameters<typeof updateVisibility>[2], 'now'>,
): Promise<void> {
  const { visibility, publishAt } = state
  // before the commit: a reverse proxy asks about these files from now on
  if (!isOpenToAll(visibility)) for (const mark of [id, thumbnail]) await hideFiles({ storage }, mark)
  await updateVisibility(db, id, { ...state, now: clock.now() })
  await deleteRemindersOfCancelled(db, id)
  await publishVisibility(db, id)
  if (visibility === 'public') await announceVideo({ db, jobs }, id)
  else await withdrawVideo({ db, jobs }, id)
  // the job publishes what the rows say when it runs, so one of an earlier schedule finds nothing
  if (publishAt) await jobs.replace(db, publishScheduled, {}, { key: id, startAt: publishAt })
}

/**
 * Publishes a video that waits for approval as its owner chose, or has one wait again. Does nothing for one that is so
 * already. Throws `not_found`, and `conflict` for a private one, which waits for nothing.
 */
export async function changeApproval(
  context: Omit<ChangeContext, 'siteSettings'>,
  id: string,
  isApproved: boolean,
  withinTransaction: WithinTransaction,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const video = await lockAnyVideo(transaction, id)
    const { heldVisibility, publishAt } = video
    if (isApproved === (heldVisibility === null)) return
    const chosen = heldVisibility ?? video.visibility
    if (chosen === 'private') throw new AppError(videoErrors.videoMadePrivate)
    await show(
      { ...context, db: transaction },
      { ...video, id },
      {
        visibility: isApproved ? chosen : visibilityWhileHeld(chosen),
        heldVisibility: isApproved ? null : chosen,
        publishAt,
        isApproved,
      },
    )
    await withinTransaction(transaction)
  })
  if (isApproved) await showFiles(context, id)
}
