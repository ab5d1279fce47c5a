import type { KeptRange } from '@kinora/media/plan/cut.ts'
import type { Context } from '../../../../context/context.ts'
import { keyOfCut, prepare, prepareCut } from '../jobs.ts'
import { getOwnerShare } from '../queries.ts'

/** Enqueues the preparation of a video, after `delaySeconds`. Runs in the transaction that publishes the video. */
export async function prepareVideo(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  videoId: string,
  delaySeconds = 0,
): Promise<void> {
  const share = await getOwnerShare(db, videoId)
  await jobs.enqueue(
    db,
    prepare,
    { videoId },
    {
      key: videoId,
      delaySeconds,
      ...(share ? { group: share.ownerId, priority: -share.preparedBefore } : {}),
    },
  )
}

/** Enqueues the preparation of a cut, in the transaction that publishes it. */
export async function prepareCutOf(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  video: { id: string; cut: KeptRange[] },
): Promise<void> {
  await jobs.enqueue(db, prepareCut, { videoId: video.id }, { key: keyOfCut(video) })
}
