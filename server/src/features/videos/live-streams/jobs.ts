import { z } from 'zod'
import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Context } from '../../../context/context.ts'
import { failLive } from '../videos/queries/live.ts'
import { finishRecording } from './actions/finish-recording.ts'
import { deleteOldParts } from './queries/streams.ts'

/** Makes an ordinary video of a stream that has ended: nothing is copied or converted. */
export const finishStream = defineJob({
  name: 'live_streams.finish',
  payload: z.object({ videoId: z.string() }),
  concurrency: 2,
  timeLimitSeconds: 900,
  pollSeconds: 1,
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

export const liveStreamJobs = [finishStream, clearLiveParts]
