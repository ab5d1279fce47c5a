import type { Video } from '@kinora/contract/videos/videos.ts'
import type { Context } from '../../../../context/context.ts'
import { lockOwnVideo } from '../../videos/actions/change-video.ts'
import { getVideo } from '../../videos/queries/videos.ts'
import { restartPreparation } from './restart-preparation.ts'

/**
 * Prepares an own video again if its preparation failed; stored segments stay. Does nothing otherwise. Throws
 * `not_found`, or `forbidden` for other users.
 */
export async function retryPreparation(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  videoId: string,
  userId: string,
): Promise<Video> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, videoId, userId)
    const { processing } = await getVideo(transaction, videoId, userId)
    if (processing.state === 'failed') await restartPreparation({ db: transaction, jobs }, videoId)
    return getVideo(transaction, videoId, userId)
  })
}
