import type { Context } from '../../../../context/context.ts'
import { finishStream } from '../jobs.ts'
import { listUnfinished } from '../queries/streams.ts'

/** Makes ordinary videos of streams that have ended, after a restoration without the queue. */
export async function finishEndedStreams({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  for (const videoId of await listUnfinished(db))
    await jobs.enqueue(db, finishStream, { videoId }, { key: videoId })
}
