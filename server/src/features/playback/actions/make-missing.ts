import { SourceEnded } from '../../../media/encode.ts'
import { FfmpegError } from '../../../media/ffmpeg.ts'
import type { SegmentRange } from '../../../media/ffmpeg-args.ts'
import { audioName } from '../../../media/hls.ts'
import type { Rung } from '../../../media/ladder.ts'
import type { AudioPlan } from '../../../media/timeline.ts'
import { markStoryboard } from '../../videos/queries/processing.ts'
import { FIRST_SEGMENTS, findTrack, runRange, STORYBOARD } from '../rules.ts'
import {
  isStored,
  makeAudioSegments,
  type MakeContext,
  type MakeOptions,
  makeRungInit,
  makeRungSegments,
  makeSheets,
} from './make-segments.ts'
import { isOfStorage } from './open-sources.ts'
import type { Playing } from './presentations.ts'

/** Makes what the first viewers ask for: the first seconds of pictures and sound, and the preview pictures. */
export async function makeBeginning(
  context: MakeContext,
  playing: Playing,
  options: MakeOptions,
): Promise<void> {
  const { rungs, timeline } = playing.presentation
  const first = { from: 0, to: Math.min(FIRST_SEGMENTS, timeline.segmentCount) }
  await tryAll(options.signal, [
    ...rungs.map((rung) => () => makeInit(context, playing, rung, options)),
    () => makePictures(context, playing, rungs, first, options),
    ...makeSounds(context, playing, 0, options),
    () => makePreviews(context, playing, options),
  ])
}

/** Makes a run of pictures and sound. */
export async function makeStretch(
  context: MakeContext,
  playing: Playing,
  run: number,
  options: MakeOptions,
): Promise<void> {
  const { rungs, timeline } = playing.presentation
  await tryAll(options.signal, [
    () => makePictures(context, playing, rungs, runRange(timeline, run), options),
    ...makeSounds(context, playing, run, options),
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
      if (isOfStorage(error)) throw error
      errors.push(error)
    })
    signal.throwIfAborted()
  }
  const damage = errors.find((error) => error instanceof SourceEnded)
  if (errors.length > 0) throw damage ?? errors[0]
}

async function makeInit(
  context: MakeContext,
  playing: Playing,
  rung: Rung,
  options: MakeOptions,
): Promise<void> {
  if (await isStored(context, { videoId: playing.id, track: rung.name, part: 'init' })) return
  await makeRungInit(context, playing, rung, options)
}

/** Makes what is missing of a range, for all rungs that miss the same segments from one decoding. */
async function makePictures(
  context: MakeContext,
  playing: Playing,
  rungs: Rung[],
  range: SegmentRange,
  options: MakeOptions,
): Promise<void> {
  const together = new Map<string, { rungs: Rung[]; missing: SegmentRange }>()
  for (const rung of rungs) {
    const missing = await findMissing(context, playing, rung.name, range)
    if (!missing) continue
    const key = `${missing.from}-${missing.to}`
    const group = together.get(key) ?? { rungs: [], missing }
    together.set(key, { ...group, rungs: [...group.rungs, rung] })
  }
  await tryAll(
    options.signal,
    Array.from(together.values(), (group) => async () => {
      try {
        await makeRungSegments(context, playing, group.rungs, group.missing, options)
      } catch (error) {
        if (!(error instanceof FfmpegError) || group.rungs.length === 1) throw error
        // each by itself, so that one that cannot be made leaves the others alone
        const singly = group.rungs.map((rung) => () => makePictures(context, playing, [rung], range, options))
        await tryAll(options.signal, singly)
      }
    }),
  )
}

function makeSounds(
  context: MakeContext,
  playing: Playing,
  run: number,
  options: MakeOptions,
): (() => Promise<void>)[] {
  const encoded = playing.presentation.audio.filter(({ isCopied }) => !isCopied)
  return encoded.map((plan) => () => makeSound(context, playing, plan, run, options))
}

async function makeSound(
  context: MakeContext,
  playing: Playing,
  plan: AudioPlan,
  run: number,
  options: MakeOptions,
): Promise<void> {
  const missing = await findMissing(context, playing, audioName(plan), runRange(plan, run))
  if (missing) await makeAudioSegments(context, playing, plan, missing, options)
}

async function makePreviews(context: MakeContext, playing: Playing, options: MakeOptions): Promise<void> {
  const track = findTrack(playing, STORYBOARD)
  if (track?.kind !== 'storyboard') return
  const missing = await findMissing(context, playing, STORYBOARD, { from: 0, to: track.count })
  if (missing) await makeSheets(context, playing, track.storyboard, options)
  await markStoryboard(context.db, playing.id)
}

/** The shortest range that holds whatever is missing of one; undefined where all is there. */
async function findMissing(
  context: MakeContext,
  { id: videoId }: Playing,
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
