import type { Video } from '@kinora/contract/videos.ts'
import type { Context } from '../../../context.ts'
import { lockOwnVideo } from '../../videos/actions/change-video.ts'
import { getVideo } from '../../videos/queries/videos.ts'
import { forgetPreparation } from './forget-preparation.ts'
import { prepareVideo } from './prepare-video.ts'

/**
 * Prepares an own video again whose preparation failed; what was made stays. Any other is as it should be.
 * Throws `not_found`, or `forbidden` for anybody else.
 */
export async function retryPreparation(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  videoId: string,
  userId: string,
): Promise<Video> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, videoId, userId)
    const { processing } = await getVideo(transaction, videoId, userId)
    if (processing.state === 'failed') {
      await forgetPreparation(transaction, videoId)
      await prepareVideo({ db: transaction, jobs }, videoId)
    }
    return getVideo(transaction, videoId, userId)
  })
}
