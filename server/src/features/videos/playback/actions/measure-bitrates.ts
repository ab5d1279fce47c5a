import type { Context } from '../../../../context/context.ts'
import { bitratesOf } from '@kinora/media/plan/measured-bitrates.ts'
import { audioName, durationsOf, PASSTHROUGH_NAME } from '@kinora/media/plan/hls.ts'
import { SourceRemuxer } from '@kinora/media/remux/remux.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'
import { putTrackBitrates } from '../queries.ts'
import { fileOf, findTrack, isStream, parsePart, segmentsOf } from '../rules.ts'
import type { PlannedVideo } from './presentations.ts'
import { bytesOf } from './source-ranges.ts'

type MeasuringContext = Pick<Context, 'db' | 'storage' | 'log'>

/** Measures and records the bitrates of every track of a video whose segments are all stored or in its index. */
export async function measureBitrates(context: MeasuringContext, playing: PlannedVideo): Promise<void> {
  const stored = await storedSizes(context, playing)
  const remuxed = await remuxedSizes(context, playing)
  await recordBitrates(context, playing, new Map([...stored, ...remuxed]))
}

/** Measures and records the bitrates of the AV1 renditions of a video whose segments are all stored. */
export async function measureAv1Bitrates(context: MeasuringContext, playing: PlannedVideo): Promise<void> {
  const sizes = await storedSizes(context, playing)
  const av1 = playing.presentation.av1.map(({ name }) => [name, sizes.get(name) ?? []] as const)
  await recordBitrates(context, playing, new Map(av1))
}

async function recordBitrates(
  context: MeasuringContext,
  playing: PlannedVideo,
  sizes: Map<string, number[]>,
): Promise<void> {
  for (const [track, bytes] of sizes) {
    const durations = durationsOf(playing.presentation, track) ?? []
    const segments = durations.map((seconds, index) => ({ seconds, sizeBytes: bytes[index] ?? Number.NaN }))
    // segments that could not be encoded, or were evicted already, leave an estimate
    if (segments.length === 0 || segments.some(({ sizeBytes }) => Number.isNaN(sizeBytes))) continue
    await putTrackBitrates(context.db, playing, track, bitratesOf(segments))
  }
}

/** Sizes of the stored segments of each encoded track. */
async function storedSizes(
  { storage }: MeasuringContext,
  playing: PlannedVideo,
): Promise<Map<string, number[]>> {
  const sizes = new Map<string, number[]>()
  const { videoId, folder } = fileOf(playing)
  const prefix = segmentsOf(videoId, folder)
  for await (const { key, sizeBytes } of storage.list(prefix)) {
    const [name = '', file = ''] = key.slice(prefix.length).split('/')
    const track = findTrack(playing, name)
    const part = track && isStream(track) ? parsePart(track, file) : undefined
    if (typeof part !== 'number') continue
    const known = sizes.get(name) ?? []
    known[part] = sizeBytes
    sizes.set(name, known)
  }
  return sizes
}

/** Sizes of the remuxed segments of an MP4. Other containers would have to be read completely. */
async function remuxedSizes(
  { storage, log }: MeasuringContext,
  playing: PlannedVideo,
): Promise<Map<string, number[]>> {
  const sizes = new Map<string, number[]>()
  const { passthrough, audio, timeline } = playing.presentation
  if (playing.source.container !== 'mp4') return sizes
  const remuxer = new SourceRemuxer(bytesOf(storage, playing), timeline)
  try {
    if (passthrough) sizes.set(PASSTHROUGH_NAME, await remuxer.videoSizes(passthrough))
    for (const plan of audio.filter(({ isCopied }) => isCopied))
      sizes.set(audioName(plan), await remuxer.audioSizes(plan))
  } catch (error) {
    if (isStorageFailure(error)) throw error
    log.warn({ err: error, videoId: playing.id }, 'bitrates could not be measured')
  } finally {
    remuxer.close()
  }
  return sizes
}
