import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { joinAvcConfigs } from '../containers/mp4/avc-config.ts'
import { findBox, FragmentReader, readTimescale, type Sample } from '../containers/mp4/fmp4.ts'
import { Mp4Writer } from '../containers/mp4/mp4-writer.ts'
import { audioGap } from '../damage/damaged-audio.ts'
import { CUT_SOURCE_NAME, type CutPart, cutParts, cutPresentation, type KeptRange } from '../plan/cut.ts'
import { audioName, PASSTHROUGH_NAME, type Presentation } from '../plan/hls.ts'
import { AAC_FRAME_SAMPLES, type AudioPlan } from '../plan/timeline.ts'

/** A cut source whose parts can be read. */
export interface CutSource {
  presentation: Presentation
  keep: readonly KeptRange[]
  /** Throws `CutNotCopied` where frames of the source would be replaced by those of an encoded rendition. */
  mustCopy?: boolean
  /** The init segment of a track, or a part of it. */
  read(track: string, part: 'init' | CutPart): Promise<Buffer>
  /** Called when what was read was taken; the writer keeps some megabytes. */
  release?(): void
}

/** The frames of a source cannot be copied with those at the borders of its cut. */
class CutNotCopied extends Error {}

/** A part of a track in the file. */
interface PlacedPart {
  /** Number of its track in the file. */
  track: number
  name: string
  part: CutPart
  fromSeconds: number
  toSeconds: number
  /** By how much its frames move. */
  shiftSeconds: number
}

/**
 * An MP4 of what viewers see of a cut source: the frames of its best video track, and its audio tracks. It is complete from its
 * first byte on, so it can be sent while it is written. `onPart` is called with the share that is written.
 */
export async function* writeCut(
  source: CutSource,
  onPart: (share: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const { audio } = source.presentation
  const plans = audio.filter(({ isLowBitrate }) => !isLowBitrate)
  const video = await openVideo(source)
  const sounds: Sound[] = []
  for (const plan of plans) sounds.push({ plan, init: await source.read(audioName(plan), 'init') })
  const writer = new Mp4Writer(await writeInit(video.config, sounds))
  const parts = [
    ...placeVideo(source, video.name),
    ...plans.flatMap((plan, i) => placeAudio(source, plan, i + 1)),
  ].toSorted((a, b) => a.fromSeconds - b.fromSeconds || a.track - b.track)
  const totalSeconds = Math.max(...parts.map(({ toSeconds }) => toSeconds))
  let lastShown = -1
  source.release?.()
  for (const placed of parts) {
    const { track, name, part, fromSeconds, toSeconds } = placed
    const timescale = writer.timescale(track)
    const found = samplesOf(await source.read(name, part))
    let samples: Sample[]
    if (track === 0) {
      const from = video.timescales.get(name) ?? timescale
      samples = placeFrames(found, placed, { from, to: timescale, after: lastShown })
      lastShown = Math.max(lastShown, ...samples.map(({ pts }) => pts))
    } else samples = placeSounds(found, placed, { sound: sounds[track - 1], timescale })
    yield* writer.add(track, samples, Math.round(toSeconds * timescale))
    source.release?.()
    onPart(fromSeconds / totalSeconds)
  }
  yield* writer.end()
}

interface OpenedVideo {
  name: string
  config: VideoDecoderConfig
  /** Ticks per second of each track that has frames of it. */
  timescales: Map<string, number>
}

/**
 * The passthrough rendition with the parts at its borders. The largest encoded one where there is none, or where the frames of both
 * cannot be in one track.
 */
async function openVideo(source: CutSource): Promise<OpenedVideo> {
  const { read, presentation, keep, mustCopy = false } = source
  const { passthrough, renditions } = cutPresentation(presentation)
  if (passthrough) {
    const init = await read(PASSTHROUGH_NAME, 'init')
    const timescales = new Map([[PASSTHROUGH_NAME, readTimescale(init)]])
    const config = await videoConfigOf(init)
    const parts = cutParts(presentation, keep, PASSTHROUGH_NAME)?.flat() ?? []
    if (parts.every(({ kind }) => kind === 'segment')) return { name: PASSTHROUGH_NAME, config, timescales }
    const borders = await read(CUT_SOURCE_NAME, 'init')
    timescales.set(CUT_SOURCE_NAME, readTimescale(borders))
    const description = joinAvcConfigs(avcConfigIn(init), avcConfigIn(borders))
    if (description) return { name: PASSTHROUGH_NAME, config: { ...config, description }, timescales }
  }
  if (mustCopy) throw new CutNotCopied('the frames of the source cannot be copied')
  const best = renditions.at(-1)
  if (!best) throw new Error('a cut source without a video track')
  const init = await read(best.name, 'init')
  const timescales = new Map([[best.name, readTimescale(init)]])
  return { name: best.name, config: await videoConfigOf(init), timescales }
}

async function videoConfigOf(init: Buffer): Promise<VideoDecoderConfig> {
  using input = new Input({ source: new BufferSource(init), formats: [MP4] })
  const track = await input.getPrimaryVideoTrack()
  const config = await track?.getDecoderConfig()
  if (!config) throw new Error('init segment without a video track')
  return { ...config, description: avcConfigIn(init) }
}

/** The decoder configuration of the H.264 track of an init segment. */
function avcConfigIn(init: Buffer): Buffer {
  const at = init.indexOf('avcC', 'latin1')
  if (at < 0) throw new Error('init segment without H.264')
  return init.subarray(at + 4, at - 4 + init.readUInt32BE(at - 4))
}

interface Sound {
  plan: AudioPlan
  init: Buffer
}

/** Languages that the header of a track can state. */
const iso639 = /^[a-z]{3}$/

/** The init segment of all tracks. */
async function writeInit(config: VideoDecoderConfig, sounds: Sound[]): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target })
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures)
  const tracks = sounds.map(({ plan, init }) => {
    const source = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(source, {
      disposition: { default: plan.isDefault },
      ...(plan.language !== null && iso639.test(plan.language) && { languageCode: plan.language }),
    })
    return { source, init }
  })
  await output.start()
  const packet = () => new EncodedPacket(new Uint8Array([0, 0, 0, 1, 0]), 'key', 0, 0.02)
  await pictures.add(packet(), { decoderConfig: config })
  for (const { source, init } of tracks) {
    using input = new Input({ source: new BufferSource(init), formats: [MP4] })
    const decoderConfig = await (await input.getPrimaryAudioTrack())?.getDecoderConfig()
    if (!decoderConfig) throw new Error('init segment without an audio track')
    await source.add(packet(), { decoderConfig })
  }
  await output.finalize()
  const bytes = Buffer.from(target.buffer ?? new ArrayBuffer())
  const moov = findBox(bytes, 'moov')
  if (!moov) throw new Error('no init segment was written')
  return bytes.subarray(0, moov.end)
}

function placeVideo({ presentation, keep }: CutSource, name: string): PlacedPart[] {
  const placed: PlacedPart[] = []
  let atSeconds = 0
  for (const [index, parts] of (cutParts(presentation, keep, name) ?? []).entries()) {
    const shiftSeconds = atSeconds - (keep[index]?.startSeconds ?? 0)
    for (const part of parts) {
      const toSeconds = atSeconds + part.seconds
      const isElsewhere = part.kind === 'border' && name === PASSTHROUGH_NAME
      const own = isElsewhere ? CUT_SOURCE_NAME : name
      placed.push({ track: 0, name: own, part, fromSeconds: atSeconds, toSeconds, shiftSeconds })
      atSeconds = toSeconds
    }
  }
  return placed
}

/** Audio frames follow each other: the plan of the parts keeps them in sync. */
function placeAudio({ presentation, keep }: CutSource, plan: AudioPlan, track: number): PlacedPart[] {
  const name = audioName(plan)
  const secondsOf = (frames: number) => (frames * AAC_FRAME_SAMPLES) / plan.sampleRate
  let frames = 0
  return (cutParts(presentation, keep, name) ?? []).flat().map((part) => {
    const fromSeconds = secondsOf(frames)
    frames += Math.round((part.seconds * plan.sampleRate) / AAC_FRAME_SAMPLES)
    return { track, name, part, fromSeconds, toSeconds: secondsOf(frames), shiftSeconds: 0 }
  })
}

function samplesOf(bytes: Buffer): Sample[] {
  const samples: Sample[] = []
  new FragmentReader((fragment) => samples.push(...fragment.samples)).push(bytes)
  return samples
}

/** Frames of a part at their times in the file: none before the part, and each after the one that is shown before it. */
function placeFrames(
  samples: Sample[],
  { fromSeconds, shiftSeconds }: PlacedPart,
  { from, to, after }: { from: number; to: number; after: number },
): Sample[] {
  const placed = samples.map((sample) => ({
    ...sample,
    pts: Math.round((sample.pts / from + shiftSeconds) * to),
  }))
  let earliest = Math.max(Math.round(fromSeconds * to), after + 1)
  for (const sample of placed.toSorted((a, b) => a.pts - b.pts)) {
    sample.pts = Math.max(earliest, sample.pts)
    earliest = sample.pts + 1
  }
  return placed
}

/** Audio frames of a part, each after the one before it, with silence in place of frames that the source lacks. */
function placeSounds(
  samples: Sample[],
  { part, fromSeconds, toSeconds }: PlacedPart,
  { sound, timescale }: { sound: Sound | undefined; timescale: number },
): Sample[] {
  if (!sound) return []
  const { plan, init } = sound
  const silent = audioGap(plan.channels)
  const first = Math.round(fromSeconds * timescale)
  const end = Math.round(toSeconds * timescale)
  const sounds: Sample[] = []
  const next = () => first + sounds.length * AAC_FRAME_SAMPLES
  const fill = (until: number) => {
    while (next() + AAC_FRAME_SAMPLES <= until) sounds.push({ pts: next(), isKey: true, data: silent })
  }
  // copied segments alone have gaps: borders and encoded audio are complete
  const own =
    part.kind === 'segment' && plan.isCopied
      ? {
          start: (part.index * plan.framesPerSegment * AAC_FRAME_SAMPLES) / plan.sampleRate,
          per: readTimescale(init),
        }
      : undefined
  for (const sample of samples) {
    if (own) fill(Math.min(end, first + Math.round((sample.pts / own.per - own.start) * timescale)))
    sounds.push({ ...sample, pts: next() })
  }
  if (own) fill(end)
  return sounds.filter(({ pts }) => pts < end)
}
