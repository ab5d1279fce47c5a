import { z } from 'zod'
import { dayMs, hourMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Context } from '../../../context/context.ts'
import { failLive } from '../../videos/videos/queries/live.ts'
import { finishRecording } from './actions/finish-recording.ts'
import { deleteOldParts, endStream, listLost } from './queries/streams.ts'

/** Makes an ordinary video of a stream that has ended: nothing is copied or converted. */
export const finishStream = defineJob({
  name: 'live_streams.finish',
  payload: z.object({ videoId: z.string() }),
  concurrency: 2,
  timeLimitSeconds: 900,
  retries: 3,
  exclusive: true,
  handle: ({ videoId }, context: Context, signal) => finishRecording(context, videoId, signal),
  giveUp: async ({ videoId }, { db, log }, error) => {
    log.error({ err: error, videoId }, 'recording of a live stream cannot be read')
    await failLive(db, videoId)
  },
})

/** Viewers who watched the end have left, or opened the recording, by then. */
const partsKeptMs = dayMs

/** Deletes the parts of streams that became ordinary videos. */
const clearLiveParts = defineJob({
  name: 'live_streams.clear_parts',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '41 3 * * *',
  handle: async (_, { db, clock }: Context) =>
    deleteOldParts(db, new Date(clock.now().getTime() - partsKeptMs)),
})

/** The ingest process ends streams without an encoder sooner; where none runs any more, this does. */
const lostAfterMs = hourMs / 30

const endLostStreams = defineJob({
  name: 'live_streams.end_lost',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '*/5 * * * *',
  handle: async (_, context: Context) => {
    const { db, jobs } = context
    const now = context.clock.now()
    for (const videoId of await listLost(db, new Date(now.getTime() - lostAfterMs)))
      await db.transaction().execute(async (transaction) => {
        if (await endStream(transaction, videoId, { reason: 'lost', now }))
          await jobs.enqueue(transaction, finishStream, { videoId }, { key: videoId })
      })
  },
})

export const liveStreamJobs = [finishStream, clearLiveParts, endLostStreams]
