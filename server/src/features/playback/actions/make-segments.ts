import type { Context } from '../../../context.ts'
import { makeCaptions } from '../../../media/captions.ts'
import { type EncodeJob, encodeAudio, encodeInit, encodeSegments } from '../../../media/encode.ts'
import type { SegmentRange } from '../../../media/ffmpeg-args.ts'
import type { Rung } from '../../../media/ladder.ts'
import type { CaptionInfo } from '../../../media/source-info.ts'
import type { AudioPlan } from '../../../media/timeline.ts'
import { audioName } from '../../../media/hls.ts'
import { makeStoryboard, type Storyboard } from '../../../media/thumbnails.ts'
import type { LocalFile } from '../../../platform/storage/storage.ts'
import { CAPTIONS, segmentKey, type SegmentName, STORYBOARD } from '../rules.ts'
import type { Playing } from './presentations.ts'

export type MakeContext = Pick<Context, 'config' | 'db' | 'storage' | 'signals'>

export interface MakeOptions {
  signal: AbortSignal
  niceness: number
}

/** Sent under a segment's key when it is there, or with `failed` when it will not come. */
export function announce(
  { db, signals }: MakeContext,
  name: SegmentName,
  message: 'made' | 'failed',
): Promise<void> {
  return signals.send(db, segmentKey(name), message)
}

/** Makes a range of segments of some rungs, from one decoding. Each is stored and announced as soon as it is whole. */
export async function makeRungSegments(
  context: MakeContext,
  playing: Playing,
  rungs: Rung[],
  range: SegmentRange,
  options: MakeOptions,
): Promise<void> {
  await using source = await openSource(context, playing)
  const stores = new StoreQueue(context, playing.id)
  await encodeSegments(encodeJob(context, playing, source, options), rungs, range, (rung, index, bytes) =>
    stores.add({ track: rung.name, part: index }, bytes),
  )
  await stores.done()
}

export async function makeRungInit(
  context: MakeContext,
  playing: Playing,
  rung: Rung,
  options: MakeOptions,
): Promise<void> {
  await using source = await openSource(context, playing)
  const stores = new StoreQueue(context, playing.id)
  const bytes = await encodeInit(encodeJob(context, playing, source, options), rung)
  stores.add({ track: rung.name, part: 'init' }, bytes)
  await stores.done()
}

/** Makes a range of segments of an audio track, and its init segment. */
export async function makeAudioSegments(
  context: MakeContext,
  playing: Playing,
  plan: AudioPlan,
  range: SegmentRange,
  options: MakeOptions,
): Promise<void> {
  await using source = await openSource(context, playing)
  const track = audioName(plan)
  const stores = new StoreQueue(context, playing.id)
  const job = encodeJob(context, playing, source, options)
  const init = await encodeAudio(job, plan, range, (index, bytes) =>
    stores.add({ track, part: index }, bytes),
  )
  stores.add({ track, part: 'init' }, init)
  await stores.done()
}

/** Makes the sheets of preview pictures. */
export async function makeSheets(
  context: MakeContext,
  playing: Playing,
  storyboard: Storyboard,
  options: MakeOptions,
): Promise<void> {
  await using source = await openSource(context, playing)
  const sheets = await makeStoryboard(encodeJob(context, playing, source, options), storyboard)
  const stores = new StoreQueue(context, playing.id)
  sheets.forEach((bytes, part) => stores.add({ track: STORYBOARD, part }, bytes))
  await stores.done()
}

/** Makes the words of one language. */
export async function makeWords(
  context: MakeContext,
  playing: Playing,
  captions: CaptionInfo,
  part: number,
  options: MakeOptions,
): Promise<void> {
  await using source = await openSource(context, playing)
  const stores = new StoreQueue(context, playing.id)
  stores.add(
    { track: CAPTIONS, part },
    await makeCaptions(encodeJob(context, playing, source, options), captions),
  )
  await stores.done()
}

/** The source as a file, for ffmpeg, which is let at no network. */
export async function openSource(
  { storage }: Pick<Context, 'storage'>,
  { id, sourceKey }: Playing,
): Promise<LocalFile> {
  const file = await storage.open(sourceKey)
  if (!file) throw new Error(`the source of video ${id} is gone`)
  return file
}

function encodeJob(
  { config }: MakeContext,
  { source, presentation }: Playing,
  { path }: LocalFile,
  { signal, niceness }: MakeOptions,
): EncodeJob & { signal: AbortSignal; niceness: number } {
  return {
    tools: { ffmpeg: config.ffmpegPath, ffprobe: config.ffprobePath },
    source,
    timeline: presentation.timeline,
    path,
    signal,
    niceness,
  }
}

/** Stores segments while others are still being encoded. */
class StoreQueue {
  readonly #context: MakeContext
  readonly #videoId: string
  readonly #stores: Promise<void>[] = []

  constructor(context: MakeContext, videoId: string) {
    this.#context = context
    this.#videoId = videoId
  }

  add(file: Omit<SegmentName, 'videoId'>, bytes: Buffer): void {
    const stored = this.#store({ ...file, videoId: this.#videoId }, bytes)
    // looked at in done(); until then a failure is nobody's unhandled rejection
    stored.catch(() => undefined)
    this.#stores.push(stored)
  }

  async done(): Promise<void> {
    await Promise.all(this.#stores)
  }

  async #store(name: SegmentName, bytes: Buffer): Promise<void> {
    await this.#context.storage.put(segmentKey(name), bytes)
    await announce(this.#context, name, 'made')
  }
}

/** Whether a part is in storage, whoever made it. */
export async function isStored({ storage }: Pick<Context, 'storage'>, name: SegmentName): Promise<boolean> {
  return (await storage.find(segmentKey(name))) !== undefined
}
