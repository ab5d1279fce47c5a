import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import type { Context } from '../../../../context/context.ts'
import { finishStream } from '../jobs.ts'
import { endStream, listUnfinished } from '../queries/streams.ts'
import { completeRecording } from './complete-recording.ts'
import type { RecordedStream } from './recordings.ts'

/** Ends a stream that has no connection: nothing continues it, and a job makes an ordinary video of it. */
export async function endLiveStream(
  context: Pick<Context, 'db' | 'jobs' | 'clock' | 'log' | 'storage' | 'config'>,
  stream: RecordedStream,
  reason: LiveEndReason,
): Promise<void> {
  const { db, jobs, clock, log } = context
  const { videoId } = stream
  // before the end: playlists never change after it. The job repeats what fails
  await completeRecording(context, stream).catch((error: unknown) => {
    log.warn({ err: error, videoId }, 'last chunks of a live stream not recorded')
  })
  await db.transaction().execute(async (transaction) => {
    if (!(await endStream(transaction, videoId, { reason, now: clock.now() }))) return
    await jobs.enqueue(transaction, finishStream, { videoId }, { key: videoId })
  })
}

/** Makes ordinary videos of streams that have ended, after a restoration without the queue. */
export async function finishEndedStreams({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  for (const videoId of await listUnfinished(db))
    await jobs.enqueue(db, finishStream, { videoId }, { key: videoId })
}
