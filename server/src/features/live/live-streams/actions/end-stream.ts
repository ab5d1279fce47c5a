import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import type { Context } from '../../../../context/context.ts'
import { finishStream } from '../jobs.ts'
import { endStream } from '../queries/streams.ts'

/** Ends a stream: nothing continues it, and a job makes an ordinary video of it. */
export async function endLiveStream(
  { db, jobs, clock }: Pick<Context, 'db' | 'jobs' | 'clock'>,
  videoId: string,
  reason: LiveEndReason,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await endStream(transaction, videoId, { reason, now: clock.now() }))) return
    await jobs.enqueue(transaction, finishStream, { videoId }, { key: videoId })
  })
}
