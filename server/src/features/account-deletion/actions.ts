import { isTestAccount } from '@kinora/contract/constants.ts'
import type { Context, WebContext } from '../../context.ts'
import type { AlsoWrite } from '../../database.ts'
import { retryDeadlocks } from '../../platform/db/errors/deadlock.ts'
import { allowLongStatements } from '../../platform/db/pool.ts'
import { AppError } from '../../platform/errors.ts'
import type { Viewer } from '../../platform/http/routing/route.ts'
import { discardExport } from '../account-exports/actions/start-export.ts'
import * as comments from '../comments/queries.ts'
import { withdrawSubscriber } from '../notifications/queries.ts'
import { retirePicture } from '../pictures/actions.ts'
import { endSessions } from '../sessions/actions.ts'
import { assertPassword } from '../users/actions.ts'
import { discardUploads } from '../uploads/actions/discard-uploads.ts'
import * as users from '../users/queries.ts'
import { deleteLockedVideo, discardHiddenThumbnail } from '../videos/actions/change-video.ts'
import * as videos from '../videos/queries/videos.ts'
import { lockAccount } from './queries.ts'

type DeleteContext = Pick<Context, 'db' | 'jobs' | 'storage' | 'log'>

/**
 * Deletes an account with its videos, comments, likes, subscriptions and history, in one transaction; a job deletes the
 * files. Returns the number of deleted videos.
 */
export async function deleteAccount(context: DeleteContext, id: string, also?: AlsoWrite): Promise<number> {
  // a concurrent like locks its video first and the account second, so deadlocks are possible
  const deleted = await retryDeadlocks(() =>
    context.db.transaction().execute(async (transaction) => {
      await allowLongStatements(transaction)
      // concurrent inserts for this account wait for this lock and fail afterwards
      const { avatar, coverImage, videos: own } = await lockAccount(transaction, id)
      await endSessions(transaction, id)
      await discardExport({ ...context, db: transaction }, id)
      for (const video of own) {
        await deleteLockedVideo({ ...context, db: transaction }, video.id, video.thumbnail)
      }
      await videos.takeBackLikes(transaction, id)
      await comments.takeBackLikes(transaction, id)
      await withdrawSubscriber(transaction, id)
      await users.takeBackSubscriptions(transaction, id)
      await users.deleteUser(transaction, id)
      await discardUploads({ ...context, db: transaction }, id)
      for (const picture of [avatar, coverImage])
        if (picture) await retirePicture(context, transaction, picture)
      await also?.(transaction)
      return own
    }),
  )
  for (const video of deleted) await discardHiddenThumbnail(context, video)
  return deleted.length
}

/**
 * Deletes the signed-in account. Throws `invalid` for a wrong password, `forbidden` for the shared demonstration
 * account.
 */
export async function deleteOwnAccount(
  context: DeleteContext & Pick<WebContext, 'limits' | 'config'>,
  user: Viewer,
  password: string,
): Promise<void> {
  if (isTestAccount(user.username, context.config))
    throw new AppError('forbidden', 'You cannot delete test accounts!')
  await assertPassword(context, user, { path: 'password', password })
  await deleteAccount(context, user.id)
  context.log.info({ userId: user.id }, 'account deleted')
}
