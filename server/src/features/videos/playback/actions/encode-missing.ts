import { SourceExhausted } from '@kinora/media/encode/encode.ts'
import { FfmpegError } from '@kinora/media/process/ffmpeg.ts'
import type { SegmentRange } from '@kinora/media/encode/ffmpeg-args.ts'
import { audioName } from '@kinora/media/plan/hls.ts'
import type { Rendition } from '@kinora/media/plan/renditions.ts'
import type { AudioPlan } from '@kinora/media/plan/timeline.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'
import { markStoryboard } from '../../videos/queries/processing.ts'
import { nameInCut } from '../../videos/rules.ts'
import { recordAudioGaps } from './record-damage.ts'
import { isFileFailure, isMachineFailure, TracksFailed } from './track-failures.ts'
import { FIRST_SEGMENTS, fileOf, findTrack, runRange, STORYBOARD } from '../rules.ts'
import {
  isStored,
  encodeAudioSegments,
  type EncodeTask,
  encodeRenditionInit,
  encodeRenditionSegments,
  storeStoryboard,
} from './encode-segments.ts'

/** Encodes what the first viewers request: the first seconds of video and audio, and the storyboard. */
export async function encodeBeginning(task: EncodeTask): Promise<void> {
  const { renditions, timeline, audio } = task.playing.presentation
  const first = { from: 0, to: Math.min(FIRST_SEGMENTS, timeline.segmentCount) }
  const failed = new Set<string>()
  try {
    await settleAll(task.signal, [
      ...renditions.map((rendition) =>
        noting(failed, rendition.name, () => encodeMissingInit(task, rendition)),
      ),
      () => encodeMissingVideo(task, renditions, first, failed),
      ...encodedOf(audio).map((plan) =>
        noting(failed, audioName(plan), () => encodeMissingAudio(task, plan, 0)),
      ),
      () => buildMissingStoryboard(task),
    ])
  } catch (error) {
    const isKnown = error instanceof SourceExhausted || isMachineFailure(error)
    if (isKnown || failed.size === 0) throw error
    throw new TracksFailed([...failed], failed.size === renditions.length + encodedOf(audio).length, error)
  }
}

/** Adds a track to `failed` if work for it fails because of the file. */
function noting(failed: Set<string>, track: string, work: () => Promise<void>): () => Promise<void> {
  return () =>
    work().catch((error: unknown) => {
      if (isFileFailure(error)) failed.add(track)
      throw error
    })
}

const encodedOf = (audio: AudioPlan[]) => audio.filter(({ isCopied }) => !isCopied)

/** Encodes one run of video and audio. */
export async function encodeMissing(task: EncodeTask, run: number): Promise<void> {
  const { renditions, timeline } = task.playing.presentation
  await settleAll(task.signal, [
    () => encodeMissingVideo(task, renditions, runRange(timeline, run)),
    ...encodeAllAudio(task, run),
    ...task.playing.presentation.audio
      .filter(({ isCopied }) => isCopied)
      .map((plan) => () => recordAudioGaps(task, plan, run)),
  ])
}

/** Encodes one run of an AV1 rendition, in an ffmpeg process of its own: each AV1 encoder allocates much memory. */
export async function encodeMissingAv1(task: EncodeTask, rendition: Rendition, run: number): Promise<void> {
  await encodeMissingInit(task, rendition)
  await encodeMissingVideo(task, [rendition], runRange(task.playing.presentation.timeline, run))
}

/**
 * Runs all works, so that a failure delays no other. Then throws a failure: damage of the source first, then one of this machine. Stops early if
 * the storage is unavailable.
 */
async function settleAll(signal: AbortSignal, works: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const work of works) {
    await work().catch((error: unknown) => {
      if (isStorageFailure(error)) throw error
      errors.push(error)
    })
    signal.throwIfAborted()
  }
  const damage = errors.find((error) => error instanceof SourceExhausted)
  if (errors.length > 0) throw damage ?? errors.find(isMachineFailure) ?? errors[0]
}

async function encodeMissingInit(task: EncodeTask, rendition: Rendition): Promise<void> {
  const { context, playing } = task
  if (await isStored(context, { ...fileOf(playing), track: rendition.name, part: 'init' })) return
  await encodeRenditionInit(task, rendition)
}

/**
 * Encodes the missing segments of a range. Renditions that miss the same segments share one decoding. Adds to `failed` those
 * that fail because of the file.
 */
async function encodeMissingVideo(
  task: EncodeTask,
  renditions: Rendition[],
  range: SegmentRange,
  failed = new Set<string>(),
): Promise<void> {
  const together = new Map<string, { renditions: Rendition[]; missing: SegmentRange }>()
  for (const rendition of renditions) {
    const missing = await findMissing(task, rendition.name, range)
    if (!missing) continue
    const key = `${missing.from}-${missing.to}`
    const group = together.get(key) ?? { renditions: [], missing }
    together.set(key, { ...group, renditions: [...group.renditions, rendition] })
  }
  await settleAll(
    task.signal,
    Array.from(together.values(), (group) => async () => {
      try {
        await encodeRenditionSegments(task, group.renditions, group.missing)
      } catch (error) {
        const [only, ...others] = group.renditions
        if (only && others.length === 0 && isFileFailure(error)) failed.add(only.name)
        if (!(error instanceof FfmpegError) || others.length === 0) throw error
        // one by one, so that a failing rendition does not affect the others
        const singly = group.renditions.map(
          (rendition) => () => encodeMissingVideo(task, [rendition], range, failed),
        )
        await settleAll(task.signal, singly)
      }
    }),
  )
}

function encodeAllAudio(task: EncodeTask, run: number): (() => Promise<void>)[] {
  return encodedOf(task.playing.presentation.audio).map((plan) => () => encodeMissingAudio(task, plan, run))
}

async function encodeMissingAudio(task: EncodeTask, plan: AudioPlan, run: number): Promise<void> {
  const missing = await findMissing(task, audioName(plan), runRange(plan, run))
  if (missing) await encodeAudioSegments(task, plan, missing)
}

/** Stores the sheets of thumbnails that are missing. */
export async function buildMissingStoryboard(task: EncodeTask): Promise<void> {
  const { context, playing } = task
  const track = findTrack(playing, nameInCut(STORYBOARD, playing.cut))
  if (track?.kind !== 'storyboard') return
  const missing = await findMissing(task, track.name, { from: 0, to: track.count })
  if (missing) await storeStoryboard(task, track)
  await markStoryboard(context.db, playing)
}

/** The shortest range that includes all missing segments; undefined if none is missing. */
async function findMissing(
  { context, playing }: EncodeTask,
  track: string,
  { from, to }: SegmentRange,
): Promise<SegmentRange | undefined> {
  const missing: number[] = []
  for (let part = from; part < to; part++) {
    if (!(await isStored(context, { ...fileOf(playing), track, part }))) missing.push(part)
  }
  const [first, last] = [missing[0], missing.at(-1)]
  return first === undefined || last === undefined ? undefined : { from: first, to: last + 1 }
}
