import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { SourceEnded } from '../../media/encode.ts'
import { FfmpegError } from '../../media/ffmpeg.ts'
import { audioName, planPresentation } from '../../media/hls.ts'
import type { Rung } from '../../media/ladder.ts'
import { AppError } from '../../platform/errors.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import { markStoryboard, updateProcessing, updateProgress } from '../videos/queries.ts'
import { bytesOverBudget, evict } from './actions/cache-budget.ts'
import { learnDamage } from './actions/learn-damage.ts'
import {
  announce,
  isStored,
  makeAudioSegments,
  makeRungInit,
  makeRungSegments,
  makeSheets,
  makeWords,
  type MakeOptions,
} from './actions/make-segments.ts'
import type { Playing } from './actions/presentations.ts'
import { deletePreparedRuns, getPlayable, insertPreparedRun, listProcessing } from './queries.ts'
import {
  audioStretch,
  countRuns,
  damageReason,
  findTrack,
  FIRST_SEGMENTS,
  hasPart,
  isStream,
  runOf,
  runRange,
  type SegmentName,
  STORYBOARD,
  type Track,
} from './rules.ts'

const SegmentPayload = z.object({
  videoId: z.string(),
  track: z.string(),
  part: z.union([z.literal('init'), z.number().int().min(0)]),
})

/** Background work takes what viewers leave of the CPU. */
const BACKGROUND_NICENESS = 15

/** A segment that somebody waits for. Its workers do nothing else, so that it never stands behind background work. */
export const makeSegment = defineJob({
  name: 'playback.make_segment',
  payload: SegmentPayload,
  concurrency: Math.max(2, availableParallelism()),
  timeLimitSeconds: 120,
  retries: 1,
  exclusive: true,
  handle: async (name, context: Context, signal) => {
    const playing = await findPlaying(context, name.videoId)
    const track = playing && findTrack(playing, name.track)
    // deleted, or found to end earlier, since it was asked for: nobody waits for what will not come
    if (!track || !hasPart(track, name.part)) return announce(context, name, 'failed')
    if (await isStored(context, name)) return announce(context, name, 'made')
    try {
      await makePart(context, playing, track, name, { signal, niceness: 0 })
    } catch (error) {
      await announce(context, name, 'failed')
      if (!(await learnFrom(context, playing, error, signal))) throw error
    }
    if (context.config.preparePolicy === 'popular') await makeNext(context, playing, name)
  },
})

/** Who watches here will go on watching: what comes after is made before it is asked for. */
async function makeNext(context: Context, playing: Playing, name: SegmentName): Promise<void> {
  const { videoId, part } = name
  const track = findTrack(playing, name.track)
  if (!track || !isStream(track)) return
  if (part === 'init' || part + 1 >= playing.presentation.timeline.segmentCount) return
  const run = runOf(part + 1)
  await context.jobs.enqueue(context.db, makeRun, { videoId, run }, { key: `${videoId}/${run}` })
}

async function makePart(
  context: Context,
  playing: Playing,
  track: Track,
  name: SegmentName,
  options: MakeOptions,
): Promise<void> {
  if (track.kind === 'storyboard') return makeSheets(context, playing, track.storyboard, options)
  if (track.kind === 'captions') {
    const captions = name.part === 'init' ? undefined : track.captions[name.part]
    if (captions && name.part !== 'init') await makeWords(context, playing, captions, name.part, options)
    return
  }
  if (track.kind === 'encoded_audio') {
    return makeAudioSegments(context, playing, track.plan, audioStretch(track.plan, name.part), options)
  }
  if (track.kind !== 'rung') return
  if (name.part === 'init') return makeRungInit(context, playing, track.rung, options)
  await makeRungSegments(context, playing, [track.rung], { from: name.part, to: name.part + 1 }, options)
}

/** Right after an upload: what the first viewers will ask for, then the sound, the preview pictures, and the rest by policy. */
export const prepare = defineJob({
  name: 'playback.prepare',
  payload: z.object({ videoId: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 2,
  exclusive: true,
  handle: async ({ videoId }, context: Context, signal) => {
    const playing = await findPlaying(context, videoId)
    if (!playing) return
    const options = { signal, niceness: BACKGROUND_NICENESS }
    await noteFailure(context, playing, signal, async () => {
      await makeFirstSegments(context, playing, options)
      await makeAudio(context, playing, options)
      const storyboard = findTrack(playing, STORYBOARD)
      if (storyboard?.kind === 'storyboard') {
        await makeSheets(context, playing, storyboard.storyboard, options)
        await markStoryboard(context.db, videoId)
      }
    })
    const isFull = (await bytesOverBudget(context)) > 0
    if (isFull || context.config.preparePolicy !== 'all') return finish(context, playing)
    // Early runs of all films come before late runs of any: people begin at the beginning.
    for (let run = 0; run < countRuns(playing.presentation); run++) {
      await context.jobs.enqueue(
        context.db,
        makeRun,
        { videoId, run },
        { key: `${videoId}/${run}`, priority: -run },
      )
    }
  },
})

async function makeFirstSegments(context: Context, playing: Playing, options: MakeOptions): Promise<void> {
  const { rungs, timeline } = playing.presentation
  for (const rung of rungs) {
    if (!(await isStored(context, { videoId: playing.id, track: rung.name, part: 'init' }))) {
      await makeRungInit(context, playing, rung, options)
    }
  }
  await makeMissing(
    context,
    playing,
    { from: 0, to: Math.min(FIRST_SEGMENTS, timeline.segmentCount) },
    options,
  )
}

async function makeAudio(context: Context, playing: Playing, options: MakeOptions): Promise<void> {
  for (const plan of playing.presentation.audio) {
    if (plan.isCopied) continue
    for (let part = 0; part < plan.segmentCount; part = audioStretch(plan, part).to) {
      if (await isStored(context, { videoId: playing.id, track: audioName(plan), part })) continue
      await makeAudioSegments(context, playing, plan, audioStretch(plan, part), options)
    }
  }
}

/** A run of segments of all rungs, from one decoding. */
export const makeRun = defineJob({
  name: 'playback.make_run',
  payload: z.object({ videoId: z.string(), run: z.number().int().min(0) }),
  concurrency: 1,
  timeLimitSeconds: 900,
  retries: 2,
  exclusive: true,
  handle: async ({ videoId, run }, context: Context, signal) => {
    const playing = await findPlaying(context, videoId)
    if (!playing || run >= countRuns(playing.presentation)) return
    // Where it is full, what is made now would be evicted next; viewers make what they ask for.
    if ((await bytesOverBudget(context)) === 0) {
      const options = { signal, niceness: BACKGROUND_NICENESS }
      await noteFailure(context, playing, signal, () =>
        makeMissing(context, playing, runRange(playing.presentation, run), options),
      )
    }
    if (context.config.preparePolicy !== 'all') return
    const total = countRuns(playing.presentation)
    // What was left out counts too: the film is as prepared as it will be.
    const made = await insertPreparedRun(context.db, videoId, run)
    if (made >= total) return finish(context, playing)
    await updateProgress(context.db, videoId, made / total)
  },
})

/** Makes what is missing of a range, for all rungs that miss the same segments from one decoding. */
async function makeMissing(
  context: Context,
  playing: Playing,
  range: { from: number; to: number },
  options: MakeOptions,
): Promise<void> {
  const together = new Map<string, { rungs: Rung[]; from: number; to: number }>()
  for (const rung of playing.presentation.rungs) {
    const missing = []
    for (let part = range.from; part < range.to; part++) {
      if (!(await isStored(context, { videoId: playing.id, track: rung.name, part }))) missing.push(part)
    }
    const [from, last] = [missing[0], missing.at(-1)]
    if (from === undefined || last === undefined) continue
    const key = `${from}-${last}`
    const group = together.get(key) ?? { rungs: [], from, to: last + 1 }
    together.set(key, { ...group, rungs: [...group.rungs, rung] })
  }
  for (const { rungs, from, to } of together.values()) {
    await makeRungSegments(context, playing, rungs, { from, to }, options)
  }
}

async function finish({ db }: Context, { id, source, presentation }: Playing): Promise<void> {
  const reason = damageReason(source, presentation.timeline)
  await updateProcessing(db, id, { state: 'ready', progress: 1, reason })
  await deletePreparedRuns(db, id)
}

/** Tells the owner when something cannot be made; whatever can be made still plays. */
async function noteFailure(
  context: Context,
  playing: Playing,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isOfSource = error instanceof SourceEnded || (error instanceof FfmpegError && !error.wasKilled)
    if (!signal.aborted && isOfSource && (await isAtHand(context.storage, playing.sourceKey))) {
      // What has learnt of the damage has it prepared anew; a job that is tried again finds it so.
      if (await learnFrom(context, playing, error, signal)) throw error
      const reason = 'Some parts of this video could not be prepared.'
      await updateProcessing(context.db, playing.id, { state: 'failed', progress: 1, reason })
    }
    throw error
  }
}

/** Whether the source is at hand at all: a disk that went away for a moment is no fault of the film. */
async function isAtHand(storage: Context['storage'], sourceKey: string): Promise<boolean> {
  return (await storage.find(sourceKey).catch(() => undefined)) !== undefined
}

/** A source that turns out to be damaged is played around that; its owner reads so once it is prepared. */
async function learnFrom(
  context: Context,
  playing: Playing,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof SourceEnded)) return false
  if (!(await learnDamage(context, playing, error.index, signal))) return false
  await deletePreparedRuns(context.db, playing.id)
  await context.jobs.enqueue(context.db, prepare, { videoId: playing.id }, { key: playing.id })
  return true
}

/** The video of a job, or undefined when it was deleted meanwhile. */
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
    context.measured.evictedBytes.add({}, freedBytes)
    if (freedBytes > 0) context.log.info({ freedBytes }, 'segments evicted')
  },
})

const resumedAtOnce = 200

/**
 * Goes on with videos that nobody prepares any more: a job that was taken from killed workers, or met a full disk, too
 * often is given up, but what stood in its way may be gone by now.
 */
export const resumePreparation = defineJob({
  name: 'playback.resume_preparation',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '*/5 * * * *',
  handle: async (_, { db, jobs, log }: Context) => {
    const idle = await jobs.listIdle([prepare, makeRun], await listProcessing(db, resumedAtOnce))
    for (const videoId of idle) await jobs.enqueue(db, prepare, { videoId }, { key: videoId })
    if (idle.length > 0) log.info({ videoIds: idle }, 'preparation resumed')
  },
})

/** All jobs of this feature. */
export const playbackJobs = [makeSegment, prepare, makeRun, evictSegments, resumePreparation]
