import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import { cacheTags as allTags } from '../../../context/cache-tags.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import type { WithinTransaction, Db } from '../../../context/database.ts'
import { retryDeadlocks } from '@kinora/platform/db/errors/deadlock.ts'
import { allowLongStatements, withLongStatements } from '@kinora/platform/db/pool.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { hiddenKey } from '../../../context/storage-keys.ts'
import { AppError, signInFirst } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import { discardExport } from '../account-exports/actions/start-export.ts'
import {
  deleteCommentsBy,
  type HideCause,
  hideCommentsBy,
  showCommentsBy,
} from '../../conversation/comments/queries/deletions.ts'
import { deleteMessagesBy } from '../../live/chat/queries.ts'
import { removeLikesBy } from '../../conversation/comments/queries/likes.ts'
import { withdrawSubscriber } from '../../messages/notifications/queries/subscribers.ts'
import { deletePictureLater } from '../../pictures/actions.ts'
import { sendMail } from '../../messages/mail/actions/send-mail.ts'
import { endSessions, findLeavingByToken } from '../../accounts/sessions/actions.ts'
import { assertPassword } from '../../accounts/users/actions/change-password.ts'
import { discardUploads } from '../../videos/uploads/actions/discard-uploads.ts'
import * as users from '../../accounts/users/queries.ts'
import { deleteManyRows } from '../../videos/video-deletion/actions/delete-many-rows.ts'
import { hasManyRows } from '../../videos/video-deletion/queries.ts'
import { deleteLockedVideo, discardHiddenThumbnail } from '../../videos/videos/actions/change-video.ts'
import {
  hideFiles,
  reinstateRow,
  showFiles,
  takeDownLockedVideo,
} from '../../videos/videos/actions/hide-video.ts'
import * as videos from '../../videos/videos/queries/videos.ts'
import { changeHidingLater } from '../hidden-accounts/actions.ts'
import { hasManyVideos } from '../hidden-accounts/queries.ts'
import { hiddenReasons } from '../hidden-accounts/rules.ts'
import {
  countVideos,
  hasManyComments,
  listSomeVideos,
  lockAccount,
  lockAccountRow,
  lockDeletesAt,
} from './queries.ts'

type DeleteContext = Pick<Context, 'db' | 'jobs' | 'storage' | 'log'>

const commentsPerBatch = 2000
const videosPerBatch = 100
/** More than `hasManyVideos` leaves. */
const leftVideos = 1000

type IsDue = (deletesAt: Date | null) => boolean

interface DeleteOptions {
  /** Whether an account that is deleted at this time is due. */
  isDue?: IsDue
  /** Ends the deletion between two batches. */
  signal?: AbortSignal | undefined
}

/**
 * Deletes what an account may have by the million, in batches: one transaction with all of it would take too long. Ends, and
 * returns false, once the account is not due.
 */
async function deleteLargestParts(
  context: DeleteContext,
  id: string,
  { isDue, signal }: DeleteOptions & { isDue: IsDue },
): Promise<boolean> {
  const { db } = context
  const account = { isDue: true }
  // the lock makes somebody who keeps the account wait, and the next batch see it
  const inBatch = (work: (db: Db) => Promise<number>) => {
    signal?.throwIfAborted()
    return retryDeadlocks(() =>
      db.transaction().execute(async (transaction) => {
        account.isDue = isDue(await lockDeletesAt(transaction, id))
        return account.isDue ? work(transaction) : 0
      }),
    )
  }
  const deleteRowsOf = async (batch: readonly { id: string }[]) => {
    for (const video of batch)
      if (account.isDue && (await hasManyRows(db, video.id))) await deleteManyRows(inBatch, video.id)
  }
  while (account.isDue && (await hasManyVideos(db, id))) {
    const some = await listSomeVideos(db, id, videosPerBatch)
    await deleteRowsOf(some)
    await inBatch(async (transaction) => {
      for (const video of some)
        await deleteLockedVideo({ ...context, db: transaction }, video.id, { ...video, ownerId: id })
      return some.length
    })
    if (account.isDue) for (const video of some) await discardHiddenThumbnail(context, video)
  }
  await deleteRowsOf(await listSomeVideos(db, id, leftVideos))
  while (account.isDue && (await hasManyComments(db, id)))
    await inBatch((transaction) => deleteCommentsBy(transaction, id, commentsPerBatch))
  const deleteMessages = () => inBatch((transaction) => deleteMessagesBy(transaction, id, commentsPerBatch))
  while (account.isDue && (await deleteMessages()) === commentsPerBatch);
  return account.isDue
}

/**
 * Deletes an account with its videos, comments, likes, subscriptions and history, in one transaction after the largest parts;
 * a job deletes the files. Returns the number of deleted videos. Does nothing if the account is not due. Another call goes on
 * where `signal` ended one.
 */
export async function deleteAccount(
  context: DeleteContext,
  id: string,
  withinTransaction?: WithinTransaction,
  { isDue = () => true, signal }: DeleteOptions = {},
): Promise<number> {
  const dueAt = await context.db.transaction().execute((transaction) => lockDeletesAt(transaction, id))
  if (!isDue(dueAt)) return 0
  if (!(await deleteLargestParts(context, id, { isDue, signal }))) return 0
  signal?.throwIfAborted()
  // a concurrent like locks its video first and the account second, so deadlocks are possible
  const deleted = await retryDeadlocks(() =>
    withLongStatements(context.db, async (transaction) => {
      // concurrent inserts for this account wait for this lock and fail afterwards
      const { avatar, coverImage, deletesAt, videos: own } = await lockAccount(transaction, id)
      if (!isDue(deletesAt)) return []
      await endSessions(transaction, id)
      await discardExport({ ...context, db: transaction }, id)
      for (const { id: videoId, thumbnail } of own) {
        await deleteLockedVideo({ ...context, db: transaction }, videoId, { ownerId: id, thumbnail })
      }
      await videos.subtractLikesBy(transaction, id)
      await removeLikesBy(transaction, id)
      await withdrawSubscriber(transaction, id)
      await users.subtractSubscriptionsOf(transaction, id)
      await users.deleteUser(transaction, id)
      await discardUploads({ ...context, db: transaction }, id)
      for (const picture of [avatar, coverImage])
        if (picture) await deletePictureLater(context, transaction, picture)
      await withinTransaction?.(transaction)
      return own
    }),
  )
  for (const video of deleted) await discardHiddenThumbnail(context, video)
  return deleted.length
}

type OwnVideos = Awaited<ReturnType<typeof lockAccount>>['videos']

/** Hides the videos and comments of an account whose rows the caller has locked. Earlier takedowns keep their reason. */
async function hideContent(
  context: Pick<Context, 'db' | 'storage' | 'jobs'>,
  id: string,
  own: OwnVideos,
  cause: HideCause,
): Promise<void> {
  for (const video of own.filter(({ takedownReason }) => takedownReason === null))
    await takeDownLockedVideo(context, video, hiddenReasons[cause])
  await hideCommentsBy(context.db, id, cause)
}

/** Shows again what `hideContent` has hidden. Returns those videos; their files are still hidden. */
async function showContent(db: Db, id: string, own: OwnVideos, cause: HideCause): Promise<OwnVideos> {
  const hidden = own.filter(({ takedownReason }) => takedownReason === hiddenReasons[cause])
  for (const video of hidden) await reinstateRow(db, video.id)
  await showCommentsBy(db, id, cause)
  return hidden
}

/** Hides what a suspended account published, in the transaction that suspends it; the videos of a large channel soon after. */
export async function hideSuspended(
  context: Pick<Context, 'db' | 'storage' | 'jobs'>,
  id: string,
): Promise<void> {
  await lockAccountRow(context.db, id)
  if (await hasManyVideos(context.db, id)) return changeHidingLater(context, id, 'suspension')
  await allowLongStatements(context.db)
  const { videos: own } = await lockAccount(context.db, id)
  await hideContent(context, id, own, 'suspension')
}

/**
 * Shows again what `hideSuspended` has hidden, in the transaction that reinstates the account; a large channel in the background.
 * Returns the ids of videos.
 */
export async function showReinstated(context: Pick<Context, 'db' | 'jobs'>, id: string): Promise<string[]> {
  const { db } = context
  await lockAccountRow(db, id)
  if (await hasManyVideos(db, id)) {
    await changeHidingLater(context, id, null)
    return []
  }
  await allowLongStatements(db)
  const { videos: own } = await lockAccount(db, id)
  return (await showContent(db, id, own, 'suspension')).map((video) => video.id)
}

type HideContext = DeleteContext & Pick<Context, 'cacheTags' | 'clock' | 'mailer'>

/**
 * Hides an account with everything that it published, as if it was deleted, and has it removed after some days. Its videos
 * are taken down, its comments are deleted in a way that can be taken back. Likes and subscriptions count until the end.
 */
async function beginDeletion(
  context: Omit<HideContext, 'mailer'> & Partial<Pick<HideContext, 'mailer'>>,
  id: string,
  days: number,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  const { db, clock, storage, jobs, cacheTags } = context
  const suspendedAt = clock.now()
  const deletesAt = new Date(suspendedAt.getTime() + days * dayMs)
  await retryDeadlocks(() =>
    withLongStatements(db, async (transaction) => {
      const { avatar, coverImage, suspendedAt: isSuspended } = await lockAccountRow(transaction, id)
      // meanwhile: keeping the account would otherwise undo the suspension
      if (isSuspended && days > 0) throw signInFirst()
      await endSessions(transaction, id)
      await users.updateDeletion(transaction, id, { deletesAt, suspendedAt })
      for (const picture of [avatar, coverImage]) if (picture) await hideFiles({ storage }, picture)
      const inTransaction = { db: transaction, storage, jobs }
      if (await hasManyVideos(transaction, id)) await changeHidingLater(inTransaction, id, 'leaving')
      else await hideContent(inTransaction, id, (await lockAccount(transaction, id)).videos, 'leaving')
      await withdrawSubscriber(transaction, id)
      const { mailer } = context
      if (mailer) await sendMail({ ...context, mailer }, transaction, { kind: 'account_leaving', userId: id })
      await withinTransaction?.(transaction)
    }),
  )
  cacheTags.clear(allTags)
}

/** Shows an account again that is being deleted; does nothing for others. */
export async function cancelDeletion(
  context: Pick<Context, 'db' | 'jobs' | 'storage' | 'cacheTags'>,
  id: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  const { db, jobs, storage, cacheTags } = context
  const kept = await retryDeadlocks(() =>
    withLongStatements(db, async (transaction) => {
      const account = await lockAccountRow(transaction, id)
      if (!account.deletesAt) return undefined
      await users.updateDeletion(transaction, id, null)
      const isLarge = await hasManyVideos(transaction, id)
      if (isLarge) await changeHidingLater({ db: transaction, jobs }, id, null)
      const hidden = isLarge
        ? []
        : await showContent(transaction, id, (await lockAccount(transaction, id)).videos, 'leaving')
      await withinTransaction?.(transaction)
      return { ...account, hidden }
    }),
  )
  cacheTags.clear(allTags)
  if (!kept) return
  for (const picture of [kept.avatar, kept.coverImage]) if (picture) await storage.delete(hiddenKey(picture))
  for (const video of kept.hidden) await showFiles({ db, storage }, video.id)
}

/**
 * Deletes an account. One with many videos is hidden at once, and deleted by `removeLeavingAccounts`. Returns how many videos it
 * has.
 */
export async function deleteSoon(
  context: Omit<HideContext, 'mailer'>,
  id: string,
  withinTransaction?: WithinTransaction,
): Promise<number> {
  if (!(await hasManyVideos(context.db, id))) return deleteAccount(context, id, withinTransaction)
  const { db, jobs, storage, cacheTags, clock, log } = context
  await beginDeletion({ db, jobs, storage, cacheTags, clock, log }, id, 0, withinTransaction)
  return countVideos(db, id)
}

/** The account of a session that is being deleted. Throws `not_found` without one. */
export async function getLeaving(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string | undefined,
): Promise<{ id: string; username: string; deletesAt: Date }> {
  const leaving = token === undefined ? undefined : await findLeavingByToken({ db, clock }, token)
  if (!leaving) throw new AppError(portabilityErrors.deletionNotFound)
  return leaving
}

/**
 * Deletes the signed-in account, immediately or after the days that the site waits. Throws `invalid` for a wrong password,
 * and `forbidden` for the shared demonstration account.
 */
export async function deleteOwnAccount(
  context: HideContext & Pick<WebContext, 'limits' | 'config' | 'siteSettings'>,
  user: Viewer,
  password: string,
): Promise<void> {
  if (isTestAccount(user.username, context.config)) throw new AppError(portabilityErrors.testAccountDeletion)
  await assertPassword(context, user, { path: 'password', password })
  const { deletionDays } = await context.siteSettings.load()
  if (deletionDays > 0) await beginDeletion(context, user.id, deletionDays)
  else await deleteSoon(context, user.id)
  context.log.info({ userId: user.id, days: deletionDays }, 'account deleted')
}
