import { SourceEnded } from '../../../media/encode/encode.ts'
import { FfmpegError } from '../../../media/process/ffmpeg.ts'
import type { SegmentRange } from '../../../media/encode/ffmpeg-args.ts'
import { audioName } from '../../../media/plan/hls.ts'
import type { Rung } from '../../../media/plan/renditions.ts'
import type { AudioPlan } from '../../../media/plan/timeline.ts'
import { isStorageFailure } from '../../../platform/storage/storage.ts'
import { markStoryboard } from '../../videos/queries/processing.ts'
import { learnSilences } from './learn-damage.ts'
import { FIRST_SEGMENTS, findTrack, runRange, STORYBOARD } from '../rules.ts'
import {
  isStored,
  makeAudioSegments,
  type Making,
  makeRungInit,
  makeRungSegments,
  makeSheets,
} from './make-segments.ts'

/** Makes what the first viewers ask for: the first seconds of pictures and sound, and the preview pictures. */
export async function makeBeginning(making: Making): Promise<void> {
  const { rungs, timeline } = making.playing.presentation
  const first = { from: 0, to: Math.min(FIRST_SEGMENTS, timeline.segmentCount) }
  await tryAll(making.signal, [
    ...rungs.map((rung) => () => makeInit(making, rung)),
    () => makePictures(making, rungs, first),
    ...makeSounds(making, 0),
    () => makePreviews(making),
  ])
}

/** Makes a run of pictures and sound. */
export async function makeStretch(making: Making, run: number): Promise<void> {
  const { rungs, timeline } = making.playing.presentation
  await tryAll(making.signal, [
    () => makePictures(making, rungs, runRange(timeline, run)),
    ...makeSounds(making, run),
    ...making.playing.presentation.audio
      .filter(({ isCopied }) => isCopied)
      .map((plan) => () => learnSilences(making, plan, run)),
  ])
}

/**
 * Does all of it, because what cannot be made must hold up nothing else; then throws what failed, damage before all else.
 * Where nothing can be read or stored nothing else is tried.
 */
async function tryAll(signal: AbortSignal, works: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const work of works) {
    await work().catch((error: unknown) => {
      if (isStorageFailure(error)) throw error
      errors.push(error)
    })
    signal.throwIfAborted()
  }
  const damage = errors.find((error) => error instanceof SourceEnded)
  if (errors.length > 0) throw damage ?? errors[0]
}

async function makeInit(making: Making, rung: Rung): Promise<void> {
  const { context, playing } = making
  if (await isStored(context, { videoId: playing.id, track: rung.name, part: 'init' })) return
  await makeRungInit(making, rung)
}

/** Makes what is missing of a range, for all rungs that miss the same segments from one decoding. */
async function makePictures(making: Making, rungs: Rung[], range: SegmentRange): Promise<void> {
  const together = new Map<string, { rungs: Rung[]; missing: SegmentRange }>()
  for (const rung of rungs) {
    const missing = await findMissing(making, rung.name, range)
    if (!missing) continue
    const key = `${missing.from}-${missing.to}`
    const group = together.get(key) ?? { rungs: [], missing }
    together.set(key, { ...group, rungs: [...group.rungs, rung] })
  }
  await tryAll(
    making.signal,
    Array.from(together.values(), (group) => async () => {
      try {
        await makeRungSegments(making, group.rungs, group.missing)
      } catch (error) {
        if (!(error instanceof FfmpegError) || group.rungs.length === 1) throw error
        // each by itself, so that one that cannot be made leaves the others alone
        const singly = group.rungs.map((rung) => () => makePictures(making, [rung], range))
        await tryAll(making.signal, singly)
      }
    }),
  )
}

function makeSounds(making: Making, run: number): (() => Promise<void>)[] {
  const encoded = making.playing.presentation.audio.filter(({ isCopied }) => !isCopied)
  return encoded.map((plan) => () => makeSound(making, plan, run))
}

async function makeSound(making: Making, plan: AudioPlan, run: number): Promise<void> {
  const missing = await findMissing(making, audioName(plan), runRange(plan, run))
  if (missing) await makeAudioSegments(making, plan, missing)
}

async function makePreviews(making: Making): Promise<void> {
  const { context, playing } = making
  const track = findTrack(playing, STORYBOARD)
  if (track?.kind !== 'storyboard') return
  const missing = await findMissing(making, STORYBOARD, { from: 0, to: track.count })
  if (missing) await makeSheets(making, track.storyboard)
  await markStoryboard(context.db, playing.id)
}

/** The shortest range that holds whatever is missing of one; undefined where all is there. */
async function findMissing(
  { context, playing: { id: videoId } }: Making,
  track: string,
  { from, to }: SegmentRange,
): Promise<SegmentRange | undefined> {
  const missing: number[] = []
  for (let part = from; part < to; part++) {
    if (!(await isStored(context, { videoId, track, part }))) missing.push(part)
  }
  const [first, last] = [missing[0], missing.at(-1)]
  return first === undefined || last === undefined ? undefined : { from: first, to: last + 1 }
}
