import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { encodesAv1, SourceExhausted } from '@kinora/media/encode/encode.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { encodeBorders } from './actions/encode-borders.ts'
import { encodeAv1Ladder } from './actions/encode-av1.ts'
import { bytesOverBudget, evict } from './actions/cache-budget.ts'
import { finishPreparation, recordPreparedRun } from './actions/end-preparation.ts'
import { readFileCaptions } from './actions/read-file-captions.ts'
import { recordDamage } from './actions/record-damage.ts'
import { buildMissingStoryboard, encodeBeginning, encodeMissing } from './actions/encode-missing.ts'
import { notifyWaiters, isStored, type EncodeTask } from './actions/encode-segments.ts'
import type { PlannedVideo } from './actions/presentations.ts'
import { findFolder, findPopularWithoutAv1, getOwnerShare, listProcessing } from './queries.ts'
import {
  countRuns,
  findTrack,
  hasPart,
  isStream,
  LIVE_FOLDER,
  POPULAR,
  runOf,
  runPriority,
  RUNS_AT_ONCE,
  type SegmentName,
  segmentsOf,
  shownBy,
} from './rules.ts'
import { nameInCut } from '../videos/rules.ts'
import { encodePart } from './actions/encode-part.ts'
import { isExpectedAgain } from './actions/track-failures.ts'
import { findPlannedVideo, withVideo } from './actions/with-video.ts'
import { recordFailure } from './actions/record-failure.ts'

const VideoBorder = z.object({
  fromSeconds: z.number(),
  toSeconds: z.number(),
  startsRange: z.boolean(),
  endsRange: z.boolean(),
})

const Frame = z.number().int().min(0)
const AudioBorder = z.object({
  fromFrame: Frame,
  toFrame: Frame,
  audibleFrom: Frame.nullable(),
  audibleTo: Frame.nullable(),
})

const SegmentPayload = z.object({
  videoId: z.string(),
  // jobs of the version before have none
  folder: z.string().default(SEGMENT_FORMAT),
  track: z.string(),
  part: z.union([
    z.literal('init'),
    z.number().int().min(0),
    z.object({ name: z.string().regex(/^c[\da-f]{15}$/), border: z.union([VideoBorder, AudioBorder]) }),
  ]),
  // likewise
  niceness: z.number().int().min(0).max(19).default(5),
})

/** Background encoding uses the CPU that viewers leave. */
const BACKGROUND_NICENESS = 15

/** One video never uses all workers, because its segments may be slow to encode. */
const segmentsAtOncePerVideo = Math.max(2, availableParallelism())

/** A segment that a client waits for. Its workers do nothing else, so that it never waits for background work. */
export const encodeSegment = defineJob({
  name: 'playback.make_segment',
  payload: SegmentPayload,
  concurrency: segmentsAtOncePerVideo + 1,
  concurrencyPerGroup: segmentsAtOncePerVideo,
  timeLimitSeconds: 120,
  retries: 1,
  maxAttempts: 2,
  exclusive: true,
  handle: async ({ niceness, ...name }, context: Context, signal) => {
    const isThere = await withVideo(context, name.videoId, async (video) => {
      const playing = shownBy(video, name.track)
      const track = name.folder === playing.folder ? findTrack(playing, name.track) : undefined
      // the source was replaced, or found to be truncated, after the request
      if (!track || !hasPart(track, name.part)) return notifyWaiters(context, name, 'failed')
      if (await isStored(context, name)) return notifyWaiters(context, name, 'made')
      const task = { context, playing, signal, niceness }
      try {
        await encodePart(task, track, name)
      } catch (error) {
        if (!(await recoverFromDamage(task, error))) throw error
        await notifyWaiters(context, name, 'failed')
      }
      if (context.config.preparePolicy === 'popular') await enqueueNextRun(context, playing, name)
    })
    // clients must not wait for a segment that cannot be encoded
    if (!isThere) await notifyWaiters(context, name, 'failed')
  },
  giveUp: async (name, context, error) => {
    await notifyWaiters(context, name, isExpectedAgain(error) ? 'unencodable' : 'failed')
  },
})

/** Playback continues, so the next run is encoded before it is requested. */
async function enqueueNextRun(context: Context, playing: PlannedVideo, name: SegmentName): Promise<void> {
  const { videoId, part } = name
  const track = findTrack(playing, name.track)
  if (!track || !isStream(track)) return
  if (typeof part !== 'number' || part + 1 >= track.count) return
  await enqueueRun(context, videoId, runOf(part + 1))
}

/**
 * Encodes the beginning right after an upload. It usually takes seconds, however long the video is; longer work has a
 * queue of its own. A slow one delays only other videos of its owner: two run at once, of different owners.
 */
export const prepare = defineJob({
  name: 'playback.prepare',
  payload: z.object({ videoId: z.string() }),
  concurrency: 2,
  concurrencyPerGroup: 1,
  timeLimitSeconds: 600,
  retries: 2,
  exclusive: true,
  handle: async ({ videoId }, context: Context, signal) => {
    await withVideo(context, videoId, async (playing) => {
      const task = { context, playing, signal, niceness: BACKGROUND_NICENESS }
      await enqueueRemaining(context, await encodeAroundDamage(task, encodeBeginning))
    })
  },
  giveUp: async ({ videoId }, context, error) => {
    const playing = await recordFailure(context, videoId, error)
    if (playing === 'retry') return playing
    if (playing) await enqueueRemaining(context, playing)
  },
})

/** Encodes what the first viewers of a cut wait for: the segments at its borders, and its storyboard. */
export const prepareCut = defineJob({
  name: 'playback.prepare_cut',
  payload: z.object({ videoId: z.string() }),
  concurrency: 1,
  concurrencyPerGroup: 1,
  timeLimitSeconds: 1800,
  retries: 2,
  exclusive: true,
  handle: async ({ videoId }, context: Context, signal) => {
    await withVideo(context, videoId, async (playing) => {
      if (playing.cut === null || context.config.preparePolicy !== 'all') return
      const task = { context, playing, signal, niceness: BACKGROUND_NICENESS }
      await buildMissingStoryboard({ ...task, playing: await encodeAroundDamage(task, encodeBorders) })
    })
  },
})

/** Each cut is prepared: a later one is not held up by the job of the one before. */
export const keyOfCut = ({ id, cut }: Pick<PlannedVideo, 'id' | 'cut'>): string => nameInCut(id, cut)

/**
 * Daily limit of prepared pixels per account: twelve hours in 4K, two days in 1080p. Later uploads are encoded when
 * watched.
 */
const pixelSecondsPerDay = 12 * 3600 * 3840 * 2160

/** Enqueues the rest after the beginning, if the policy asks for it and there is room. */
async function enqueueRemaining(context: Context, playing: PlannedVideo): Promise<void> {
  const { db, jobs } = context
  if (playing.cut) await jobs.enqueue(db, prepareCut, { videoId: playing.id }, { key: keyOfCut(playing) })
  const isFull = (await bytesOverBudget(context)) > 0
  const share = await getOwnerShare(context.db, playing.id)
  const isOverShare = (share?.pixelSecondsOfDay ?? 0) > pixelSecondsPerDay
  if (isFull || isOverShare || context.config.preparePolicy !== 'all')
    return finishPreparation(context, playing)
  const runs = Math.min(RUNS_AT_ONCE, countRuns(playing.presentation))
  for (let run = 0; run < runs; run++) {
    await enqueueRun(context, playing.id, run, { priority: runPriority(run, share?.preparedBefore) })
  }
}

async function enqueueRun(
  { db, jobs }: Context,
  videoId: string,
  run: number,
  { priority = 0 } = {},
): Promise<void> {
  await jobs.enqueue(db, prepareRun, { videoId, run }, { key: `${videoId}/${run}`, priority })
}

/**
 * A run of half a minute: video of all renditions, from one decoding, and audio. Early runs of all videos precede late
 * runs of any, because viewers start at the beginning.
 */
export const prepareRun = defineJob({
  name: 'playback.make_run',
  payload: z.object({ videoId: z.string(), run: z.number().int().min(0) }),
  concurrency: 1,
  timeLimitSeconds: 900,
  retries: 2,
  exclusive: true,
  handle: async ({ videoId, run }, context: Context, signal) => {
    await withVideo(context, videoId, async (playing) => {
      const task = { context, playing, signal, niceness: BACKGROUND_NICENESS }
      // When the cache is full, new segments would evict each other; viewers trigger what they need.
      const isFull = (await bytesOverBudget(context)) > 0
      const made = isFull ? playing : await encodeAroundDamage(task, (known) => encodeMissing(known, run))
      const total = countRuns(made.presentation)
      if (context.config.preparePolicy !== 'all' || run >= total) return
      await enqueueFollowingRun(context, made, run)
      // Skipped runs count too: nothing else will prepare them.
      if (await recordPreparedRun(context, made, run, total)) await finishPreparation(context, made)
    })
  },
  giveUp: async ({ videoId, run }, context, error) => {
    const playing = await recordFailure(context, videoId, error)
    if (playing === 'retry') return playing
    if (playing) await enqueueFollowingRun(context, playing, run)
  },
})

/** A completed run enqueues a later one of its video, after the runs of others. */
async function enqueueFollowingRun(
  context: Context,
  { id, presentation }: PlannedVideo,
  run: number,
): Promise<void> {
  const next = run + RUNS_AT_ONCE
  if (context.config.preparePolicy !== 'all' || next >= countRuns(presentation)) return
  const share = await getOwnerShare(context.db, id)
  await enqueueRun(context, id, next, { priority: runPriority(next, share?.preparedBefore) })
}

/** Runs an encode task, and handles damage that it finds. Returns the video as it is known then. */
async function encodeAroundDamage(
  task: EncodeTask,
  make: (task: EncodeTask) => Promise<void>,
): Promise<PlannedVideo> {
  try {
    await make(task)
    return task.playing
  } catch (error) {
    const isRecorded = await recoverFromDamage(task, error)
    const updated = isRecorded && (await findPlannedVideo(task.context, task.playing.id))
    if (!updated) throw error
    return encodeAroundDamage({ ...task, playing: updated }, make)
  }
}

/** Records the damage of a source, which is then played and prepared around it; the owner is notified. */
async function recoverFromDamage({ context, playing, signal }: EncodeTask, error: unknown): Promise<boolean> {
  if (!(error instanceof SourceExhausted)) return false
  if (!(await recordDamage(context, playing, error.index, signal))) return false
  await context.jobs.enqueue(context.db, prepare, { videoId: playing.id }, { key: playing.id })
  return true
}

/**
 * Deletes what belongs to a replaced file of a video. Runs twice: a killed worker may leave segments that it stored after the
 * first run.
 */
export const deleteReplacedFile = defineJob({
  name: 'playback.delete_replaced',
  payload: z.object({ videoId: z.string(), sourceKey: z.string(), folder: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 10,
  handle: async ({ videoId, sourceKey, folder }, { db, storage }: Context) => {
    if ((await findFolder(db, videoId)) === folder) return
    await storage.delete(sourceKey)
    await storage.delete(segmentsOf(videoId, folder))
    // a recording that was replaced is not shown as a stream any more
    await storage.delete(segmentsOf(videoId, LIVE_FOLDER))
  },
})

/** Keeps the disk, or the cache, below its limit by evicting segments. */
const evictSegments = defineJob({
  name: 'playback.evict_segments',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 0,
  cron: '* * * * *',
  handle: async (_, context: Context, signal) => {
    const freedBytes = await evict(context, await bytesOverBudget(context), signal)
    context.metrics.evictedBytes.inc(freedBytes)
    if (freedBytes > 0) context.log.info({ freedBytes }, 'segments evicted')
  },
})

const resumedAtOnce = 200

/** Resumes the preparation of videos whose job was deleted or whose source could not be read. */
export const resumePreparation = defineJob({
  name: 'playback.resume_preparation',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '*/5 * * * *',
  handle: async (_, { db, jobs, log }: Context) => {
    const idle = await jobs.listIdle([prepare, prepareRun], await listProcessing(db, resumedAtOnce))
    for (const videoId of idle) await jobs.enqueue(db, prepare, { videoId }, { key: videoId })
    if (idle.length > 0) log.info({ videoIds: idle }, 'preparation resumed')
  },
})

/** Extracting captions reads all of a file, so a run ends after these; the next one continues. */
const captionTracksPerRun = 20

/** Makes the captions in the files of videos searchable. */
export const indexFileCaptions = defineJob({
  name: 'playback.index_file_captions',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 0,
  cron: '*/5 * * * *',
  handle: (_, context: Context, signal) => readFileCaptions(context, captionTracksPerRun, signal),
})

/** An AV1 job begins nothing more after this time; the next one continues. */
const AV1_JOB_MS = 30 * 60_000

/** Encodes the AV1 renditions of popular videos, one video after another. */
export const encodeAv1 = defineJob({
  name: 'playback.make_av1',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 0,
  cron: '*/5 * * * *',
  handle: async (_, context: Context, signal) => {
    if (!context.config.av1 || !(await encodesAv1(toolsOf(context.config)))) return
    const until = performance.now() + AV1_JOB_MS
    for (;;) {
      const videoId = await findPopularWithoutAv1(context.db, POPULAR)
      if (videoId === undefined || !(await encodeAv1Ladder(context, videoId, { signal, until }))) return
    }
  },
})

export const playbackJobs = [
  encodeSegment,
  prepare,
  prepareRun,
  prepareCut,
  deleteReplacedFile,
  evictSegments,
  resumePreparation,
  indexFileCaptions,
  encodeAv1,
]
