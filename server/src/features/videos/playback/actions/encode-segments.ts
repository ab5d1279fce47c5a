import type { Context } from '../../../../context/context.ts'
import { extractCaptions } from '@kinora/media/encode/captions.ts'
import {
  type EncodeJob,
  encodeAudio,
  encodeAudioBorder,
  encodeInit,
  encodeSegments,
  encodeVideoBorder,
} from '@kinora/media/encode/encode.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import type { SegmentRange } from '@kinora/media/encode/ffmpeg-args.ts'
import type { Rendition } from '@kinora/media/plan/renditions.ts'
import type { CaptionInfo } from '@kinora/media/source/source-info.ts'
import type { AudioPlan } from '@kinora/media/plan/timeline.ts'
import { audioName } from '@kinora/media/plan/hls.ts'
import { buildStoryboard, type Storyboard } from '@kinora/media/encode/storyboard.ts'
import type { LocalFile } from '@kinora/platform/storage/storage.ts'
import { type BorderPart, CAPTIONS, fileOf, type Part, segmentKey, type SegmentName } from '../rules.ts'
import type { PlannedVideo } from './presentations.ts'
import { type SegmentResult, segmentEnded, segmentRefused } from '../topics.ts'

/** Input of every function that produces tracks of a video. */
export interface EncodeTask {
  context: Context
  playing: PlannedVideo
  signal: AbortSignal
  /** CPU niceness of ffmpeg, from 0 (the server's own) to 19. */
  niceness: number
}

/** Publishes that a segment is stored, that an attempt failed, or that no attempt can succeed. */
export async function notifyWaiters(
  { db, pubsub }: Pick<Context, 'db' | 'pubsub'>,
  name: SegmentName,
  message: SegmentResult,
): Promise<void> {
  const key = segmentKey(name)
  if (message === 'unencodable') await pubsub.publish(db, segmentRefused, key)
  await pubsub.publish(db, segmentEnded(key), message)
}

/** Encodes a range of segments for several renditions, decoding the source once. */
export function encodeRenditionSegments(
  task: EncodeTask,
  renditions: Rendition[],
  range: SegmentRange,
): Promise<void> {
  return storeParts(task, (job, store) =>
    encodeSegments(job, renditions, range, (rendition, index, bytes) => store(rendition.name, index, bytes)),
  )
}

/** Encodes the init segment of a rendition. */
export function encodeRenditionInit(task: EncodeTask, rendition: Rendition): Promise<void> {
  return storeParts(task, async (job, store) =>
    store(rendition.name, 'init', await encodeInit(job, rendition)),
  )
}

/** Encodes a range of segments of an audio track, and its init segment. */
export function encodeAudioSegments(task: EncodeTask, plan: AudioPlan, range: SegmentRange): Promise<void> {
  const track = audioName(plan)
  return storeParts(task, (job, store) =>
    encodeAudio(job, plan, range, (part, bytes) => store(track, part, bytes)),
  )
}

export function storeStoryboard(
  task: EncodeTask,
  { name, storyboard }: { name: string; storyboard: Storyboard },
): Promise<void> {
  return storeParts(task, async (job, store) => {
    const sheets = await buildStoryboard(job, storyboard, task.playing.cut)
    sheets.forEach((bytes, part) => store(name, part, bytes))
  })
}

/** Encodes the frames at a border for several renditions, decoding the source once. */
export function encodeRenditionBorder(
  task: EncodeTask,
  renditions: Rendition[],
  part: BorderPart,
): Promise<void> {
  const { border } = part
  if (!('fromSeconds' in border)) throw new TypeError('a border of audio in a video track')
  return storeParts(task, (job, store) =>
    encodeVideoBorder(job, renditions, border, (rendition, bytes) => store(rendition.name, part, bytes)),
  )
}

/** Encodes the frames of an audio track at a border. */
export function encodeBorderOfAudio(task: EncodeTask, plan: AudioPlan, part: BorderPart): Promise<void> {
  const { border } = part
  if (!('fromFrame' in border)) throw new TypeError('a border of video in an audio track')
  return storeParts(task, async (job, store) =>
    store(audioName(plan), part, await encodeAudioBorder(job, plan, border)),
  )
}

/** Extracts the captions of one track. */
export function storeCaptions(task: EncodeTask, captions: CaptionInfo, part: number): Promise<void> {
  return storeParts(task, async (job, store) => store(CAPTIONS, part, await extractCaptions(job, captions)))
}

/** Extracts the captions of one track as WebVTT, without storing them. */
export async function readCaptions(task: EncodeTask, captions: CaptionInfo): Promise<Buffer> {
  await using file = await openSource(task.context, task.playing)
  return await extractCaptions(jobOf(task, file), captions)
}

type Store = (track: string, part: Part, bytes: Buffer) => void

/**
 * Opens the source and runs `work`, which emits parts. Each part is stored and published immediately, while others are
 * still being encoded. An existing part is not replaced: clients cache it for a year, and another run would not produce
 * the same bytes.
 */
async function storeParts(
  task: EncodeTask,
  work: (job: EncodeJob & Pick<EncodeTask, 'signal' | 'niceness'>, store: Store) => Promise<void>,
): Promise<void> {
  const { context, playing } = task
  await using file = await openSource(context, playing)
  const stores: Promise<void>[] = []
  await work(jobOf(task, file), (track, part, bytes) => {
    const name = { ...fileOf(playing), track, part }
    const stored = context.storage
      .putOnce(segmentKey(name), bytes)
      .then(() => notifyWaiters(context, name, 'made'))
    // Awaited below; until then a failure must not be an unhandled rejection.
    stored.catch(() => undefined)
    stores.push(stored)
  })
  await Promise.all(stores)
}

function jobOf({ context, playing, signal, niceness }: EncodeTask, { path }: LocalFile) {
  const { source, presentation } = playing
  return { tools: toolsOf(context.config), source, timeline: presentation.timeline, path, signal, niceness }
}

/** The source as a local file, or as a URL where ffmpeg reads from the object store. */
export async function openSource(
  { storage }: Pick<Context, 'storage'>,
  { id, sourceKey }: PlannedVideo,
): Promise<LocalFile> {
  const file = await storage.open(sourceKey)
  if (!file) throw new Error(`the source of video ${id} is gone`)
  return file
}

/** Whether a part is in storage. */
export async function isStored({ storage }: Pick<Context, 'storage'>, name: SegmentName): Promise<boolean> {
  return (await storage.head(segmentKey(name))) !== undefined
}
