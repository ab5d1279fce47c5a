import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { z } from 'zod'
import { dayMs, hourMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'
import type { Context } from '../../../context/context.ts'
import { notifyWaiters } from '../../videos/playback/actions/encode-segments.ts'
import { LIVE_FOLDER, segmentsOf } from '../../videos/playback/rules.ts'
import { failLive } from '../../videos/videos/queries/live.ts'
import { completeRecording } from './actions/complete-recording.ts'
import { encodeLivePart, measureRenditions } from './actions/encode-live-part.ts'
import { finishRecording } from './actions/finish-recording.ts'
import type { RecordedStream } from './actions/recordings.ts'
import { deleteOldBrowsers } from './queries/browsers.ts'
import { deleteOldChunks } from './queries/chunks.ts'
import { deleteParts } from './queries/parts.ts'
import { endStream, listRunning, listWithOldParts } from './queries/streams.ts'
import { measuredAgainMinutes } from './rules/streams.ts'

/** Makes an ordinary video of a stream that has ended. Nothing is encoded; recordings of several files or objects are joined. */
export const finishStream = defineJob({
  name: 'live_streams.finish',
  payload: z.object({ videoId: z.string() }),
  concurrency: 2,
  // the parts of a day are many objects in a bucket
  timeLimitSeconds: 3600,
  retries: 3,
  exclusive: true,
  handle: ({ videoId }, context: Context, signal) => finishRecording(context, videoId, signal),
  giveUp: async ({ videoId }, { db, log }, error) => {
    // the recording is there, but its disk or bucket is not, or is full
    if (isStorageFailure(error)) return 'retry'
    log.error({ err: error, videoId }, 'recording of a live stream cannot be read')
    await failLive(db, videoId)
    return undefined
  },
})

/** Viewers who watched the end have left, or opened the recording, by then. */
const partsKeptMs = dayMs

/** Deletes the parts of streams that became ordinary videos, and what was encoded of them. */
export const clearLiveParts = defineJob({
  name: 'live_streams.clear_parts',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '41 3 * * *',
  handle: async (_, { db, clock, storage }: Context) => {
    const before = new Date(clock.now().getTime() - partsKeptMs)
    await deleteOldBrowsers(db, before)
    for (const videoId of await listWithOldParts(db, before)) {
      // in this order: without parts, nothing is encoded again
      await deleteParts(db, videoId)
      await storage.delete(segmentsOf(videoId, LIVE_FOLDER))
    }
  },
})

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

/** Players have loaded the last chunks of a stream by then. */
const chunksKeptMs = hourMs / 60

/** The ingest process ends streams without an encoder sooner; where none runs any more, this does. */
const lostAfterMs = hourMs / 30

export const endLostStreams = defineJob({
  name: 'live_streams.end_lost',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '*/5 * * * *',
  handle: async (_, context: Context) => {
    const { db, clock } = context
    const now = clock.now().getTime()
    await deleteOldChunks(db, new Date(now - chunksKeptMs))
    for (const stream of await listRunning(db))
      if (now - stream.seenAt.getTime() > lostAfterMs) await endLiveStream(context, stream, 'lost')
  },
})

/** A part of a rendition that a client waits for, or soon will. */
export const encodePart = defineJob({
  name: 'live_streams.encode_part',
  payload: z.object({
    videoId: z.string(),
    folder: z.string(),
    track: z.string(),
    part: z.union([z.literal('init'), z.number().int().min(0)]),
    niceness: z.number().int().min(0).max(19),
  }),
  concurrency: 2,
  timeLimitSeconds: 30,
  retries: 0,
  exclusive: true,
  handle: (name, context: Context, signal) => encodeLivePart(context, name, signal),
  giveUp: async (name, context, error) => {
    context.log.warn({ err: error, ...name }, 'part of a live stream not encoded')
    await notifyWaiters(context, name, 'failed')
  },
})

/** Finds out which renditions this machine encodes fast enough; again if it was busy. */
export const measureStream = defineJob({
  name: 'live_streams.measure',
  payload: z.object({ videoId: z.string(), attempt: z.number().int().min(0).default(0) }),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 3,
  exclusive: true,
  handle: async ({ videoId, attempt }, context: Context, signal) => {
    if (await measureRenditions(context, videoId, signal)) return
    const minutes = measuredAgainMinutes[attempt]
    if (minutes === undefined) return
    const next = { videoId, attempt: attempt + 1 }
    await context.jobs.enqueue(context.db, measureStream, next, {
      key: `${videoId}/${next.attempt}`,
      delaySeconds: minutes * 60,
    })
  },
})

export const liveStreamJobs = [finishStream, clearLiveParts, endLostStreams]

/** Jobs of running streams: workers of sites without any do not wait for them. */
export const runningStreamJobs = [encodePart, measureStream]
