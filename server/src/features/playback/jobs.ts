import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { SourceExhausted } from '../../media/encode/encode.ts'
import { FfmpegError } from '../../media/process/ffmpeg.ts'
import { planPresentation } from '../../media/plan/hls.ts'
import { isConnectionLost } from '../../platform/db/connection-lost.ts'
import { isDiskFull } from '../../platform/files/disk-full.ts'
import { AppError } from '../../platform/errors.ts'
import { defineJob, maxRetryDelaySeconds } from '../../platform/jobs/jobs.ts'
import { isStorageFailure } from '../../platform/storage/storage.ts'
import { markReady, updateProcessing, updateProgress } from '../videos/queries/processing.ts'
import { bytesOverBudget, evict } from './actions/cache-budget.ts'
import { forgetPreparation } from './actions/forget-preparation.ts'
import { recordDamage } from './actions/record-damage.ts'
import { encodeBeginning, encodeMissing } from './actions/encode-missing.ts'
import {
  notifyWaiters,
  isStored,
  encodeAudioSegments,
  encodeRenditionInit,
  encodeRenditionSegments,
  storeStoryboard,
  storeCaptions,
  type EncodeTask,
} from './actions/encode-segments.ts'
import type { Playing } from './actions/presentations.ts'
import {
  deletePreparedRuns,
  getOwnerShare,
  getPlayable,
  hasVideo,
  insertPreparedRun,
  listProcessing,
} from './queries.ts'
import {
  CACHE_PREFIX,
  countRuns,
  damageReason,
  findTrack,
  hasPart,
  isStream,
  runOf,
  runPriority,
  runRange,
  RUNS_AT_ONCE,
  type SegmentName,
  type Track,
} from './rules.ts'

const SegmentPayload = z.object({
  videoId: z.string(),
  track: z.string(),
  part: z.union([z.literal('init'), z.number().int().min(0)]),
})

/** Background work takes what viewers leave of the CPU. */
const BACKGROUND_NICENESS = 15
/** Encoding takes all of the CPU for seconds: pages, searches and uploads need little of it, but at once. */
const WAITED_FOR_NICENESS = 5

/** One video never takes all of them: its segments may be slow to make, and others wait for segments of other videos. */
const segmentsAtOncePerVideo = Math.max(2, availableParallelism())

/** A segment that somebody waits for. Its workers do nothing else, so that it never stands behind background work. */
export const encodeSegment = defineJob({
  name: 'playback.make_segment',
  payload: SegmentPayload,
  concurrency: segmentsAtOncePerVideo + 1,
  concurrencyPerGroup: segmentsAtOncePerVideo,
  timeLimitSeconds: 120,
  retries: 1,
  exclusive: true,
  handle: async (name, context: Context, signal) => {
    const isThere = await withVideo(context, name.videoId, async (playing) => {
      const track = findTrack(playing, name.track)
      // found to end earlier since it was asked for
      if (!track || !hasPart(track, name.part)) return notifyWaiters(context, name, 'failed')
      if (await isStored(context, name)) return notifyWaiters(context, name, 'made')
      const task = { context, playing, signal, niceness: WAITED_FOR_NICENESS }
      try {
        await encodePart(task, track, name)
      } catch (error) {
        await notifyWaiters(context, name, 'failed')
        if (!(await recoverFromDamage(task, error))) throw error
      }
      if (context.config.preparePolicy === 'popular') await enqueueNextRun(context, playing, name)
    })
    // nobody waits for what will not come
    if (!isThere) await notifyWaiters(context, name, 'failed')
  },
})

/** Playback continues, so the next run is encoded before it is requested. */
async function enqueueNextRun(context: Context, playing: Playing, name: SegmentName): Promise<void> {
  const { videoId, part } = name
  const track = findTrack(playing, name.track)
  if (!track || !isStream(track)) return
  if (part === 'init' || part + 1 >= track.count) return
  await enqueueRun(context, videoId, runOf(part + 1))
}

async function encodePart(task: EncodeTask, track: Track, { part }: SegmentName): Promise<void> {
  if (track.kind === 'storyboard') return storeStoryboard(task, track.storyboard)
  if (track.kind === 'captions') {
    const captions = part === 'init' ? undefined : track.captions[part]
    if (captions && part !== 'init') await storeCaptions(task, captions, part)
    return
  }
  if (track.kind === 'encoded_audio') {
    const range = part === 'init' ? { from: 0, to: 1 } : runRange(track.plan, runOf(part))
    return encodeAudioSegments(task, track.plan, range)
  }
  if (track.kind !== 'rendition') return
  if (part === 'init') return encodeRenditionInit(task, track.rendition)
  await encodeRenditionSegments(task, [track.rendition], { from: part, to: part + 1 })
}

/**
 * Right after an upload: the beginning. It usually takes seconds, however long the video is, and all that takes longer has a
 * queue of its own. One that takes minutes holds up other videos of its owner only: two run at once, of two owners.
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
    await withVideo(context, videoId, async (playing) => {
      if (await recordFailure(context, playing, error)) await enqueueRemaining(context, playing)
    })
    return pauseAfter(error)
  },
})

/**
 * What one account publishes in a day is prepared up to so many pixels: twelve hours in 4K, two days in 1080p. What comes
 * after that is made when somebody watches it.
 */
const pixelSecondsPerDay = 12 * 3600 * 3840 * 2160

/** After the beginning comes the rest, where the policy is to make it and there is room. */
async function enqueueRemaining(context: Context, playing: Playing): Promise<void> {
  const isFull = (await bytesOverBudget(context)) > 0
  const share = await getOwnerShare(context.db, playing.id)
  const isOverShare = (share?.pixelSecondsOfDay ?? 0) > pixelSecondsPerDay
  if (isFull || isOverShare || context.config.preparePolicy !== 'all') return finish(context, playing)
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
 * A stretch of half a minute: pictures of all renditions, from one decoding, and audio. Early runs of all videos come before
 * late runs of any, because people begin at the beginning; so whoever has got the least done goes on next.
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
      // Where it is full, what is made now would be evicted next; viewers make what they ask for.
      const isFull = (await bytesOverBudget(context)) > 0
      const made = isFull ? playing : await encodeAroundDamage(task, (known) => encodeMissing(known, run))
      const total = countRuns(made.presentation)
      if (context.config.preparePolicy !== 'all' || run >= total) return
      await enqueueFollowingRun(context, made, run)
      // Skipped runs count too: nothing else will prepare them.
      const done = await insertPreparedRun(context.db, videoId, run)
      if (done >= total) return finish(context, made)
      await updateProgress(context.db, videoId, done / total)
    })
  },
  giveUp: async ({ videoId, run }, context, error) => {
    await withVideo(context, videoId, async (playing) => {
      if (await recordFailure(context, playing, error)) await enqueueFollowingRun(context, playing, run)
    })
    return pauseAfter(error)
  },
})

/** A run that is over makes room for a later one of its video, behind what others have to do until then. */
async function enqueueFollowingRun(
  context: Context,
  { id, presentation }: Playing,
  run: number,
): Promise<void> {
  const next = run + RUNS_AT_ONCE
  if (context.config.preparePolicy !== 'all' || next >= countRuns(presentation)) return
  const share = await getOwnerShare(context.db, id)
  await enqueueRun(context, id, next, { priority: runPriority(next, share?.preparedBefore) })
}

async function finish(context: Context, { id }: Playing): Promise<void> {
  const { db } = context
  // as it is known by now: other runs have learnt something, too
  const playing = await findPlaying(context, id)
  if (!playing) return
  await markReady(db, id, damageReason(playing.source, playing.presentation.timeline))
  await deletePreparedRuns(db, id)
}

/**
 * Tells the owner of what could not be made, also when it was tried again; what can be made still plays. Answers false where
 * the video is not at fault: then it waits to be gone on with.
 */
async function recordFailure(context: Context, playing: Playing, error: unknown): Promise<boolean> {
  if (pauseAfter(error) || !(await isSourceAvailable(context, playing))) return false
  const reason = 'Some parts of this video could not be prepared.'
  await updateProcessing(context.db, playing.id, { state: 'failed', progress: 1, reason })
  return true
}

/**
 * How long the next try may be put off after a failure of the machine; undefined for one of the video. A disk or a storage is
 * inspected again soon, which costs little. What ffmpeg is killed at may be the video's doing, and is tried ever more seldom.
 */
function pauseAfter(error: unknown): { maxPauseSeconds: number } | undefined {
  if (error instanceof FfmpegError && error.wasKilled) return { maxPauseSeconds: maxRetryDelaySeconds }
  const isShort = isStorageFailure(error) || isConnectionLost(error) || isDiskFull(error)
  return isShort ? { maxPauseSeconds: 10 } : undefined
}

/** Whether the source is at hand at all: a disk that went away for a moment is no fault of the video. */
async function isSourceAvailable({ storage, log }: Context, { sourceKey }: Playing): Promise<boolean> {
  const found = await storage.find(sourceKey).catch((error: unknown) => {
    log.debug({ err: error, sourceKey }, 'source unavailable')
    return undefined
  })
  return found !== undefined
}

/** Makes something of a video, and around what turns out to be damaged. Answers the video as it is known then. */
async function encodeAroundDamage(
  task: EncodeTask,
  make: (task: EncodeTask) => Promise<void>,
): Promise<Playing> {
  try {
    await make(task)
    return task.playing
  } catch (error) {
    const isRecorded = await recoverFromDamage(task, error)
    const updated = isRecorded && (await findPlaying(task.context, task.playing.id))
    if (!updated) throw error
    return encodeAroundDamage({ ...task, playing: updated }, make)
  }
}

/** A source that turns out to be damaged is played, and prepared again, around that; its owner reads so. */
async function recoverFromDamage({ context, playing, signal }: EncodeTask, error: unknown): Promise<boolean> {
  if (!(error instanceof SourceExhausted)) return false
  if (!(await recordDamage(context, playing, error.index, signal))) return false
  await forgetPreparation(context.db, playing.id)
  await context.jobs.enqueue(context.db, prepare, { videoId: playing.id }, { key: playing.id })
  return true
}

/**
 * Does something for a video, unless it is gone. What becomes of one that goes meanwhile is nobody's failure, and what was
 * made of it since then is deleted: the deletion has not seen it. Answers whether the video is still there.
 */
async function withVideo(
  context: Context,
  videoId: string,
  work: (playing: Playing) => Promise<void>,
): Promise<boolean> {
  const playing = await findPlaying(context, videoId)
  if (!playing) return false
  const [outcome] = await Promise.allSettled([work(playing)])
  if (!(await hasVideo(context.db, videoId))) {
    await context.storage.delete(`${CACHE_PREFIX}${videoId}/`)
    return false
  }
  if (outcome.status === 'rejected') throw outcome.reason
  return true
}

/** The video of a job, or undefined when it was deleted, or taken down. */
async function findPlaying({ db }: Context, videoId: string): Promise<Playing | undefined> {
  try {
    const video = await getPlayable(db, videoId)
    return { ...video, presentation: planPresentation(video.source) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Keeps the disk, or the cache, below its limit by deleting what can be made again. */
const evictSegments = defineJob({
  name: 'playback.evict_segments',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 0,
  cron: '* * * * *',
  handle: async (_, context: Context) => {
    const freedBytes = await evict(context, await bytesOverBudget(context))
    context.metrics.evictedBytes.add({}, freedBytes)
    if (freedBytes > 0) context.log.info({ freedBytes }, 'segments evicted')
  },
})

const resumedAtOnce = 200

/** Goes on with videos that nobody prepares any more: their job was deleted, or their source could not be found. */
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

/** All jobs of this feature. */
export const playbackJobs = [encodeSegment, prepare, prepareRun, evictSegments, resumePreparation]
