import { open, stat } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'
import { inputArgs, SNIFF_BYTES, sniffContainer, type Container } from './container.ts'
import { FfmpegError, flags, readTool, type MediaTools } from './ffmpeg.ts'
import { HeldTool } from './held-tool.ts'
import { indexSource, type StreamIndex } from './keyframe-index.ts'
import { findPicture } from './trial.ts'
import {
  beginSourceAt,
  SourceRefused,
  type AudioInfo,
  type CaptionInfo,
  type Rational,
  type SourceInfo,
  type VideoInfo,
} from './source-info.ts'
import { isCutOff } from './torn.ts'

const INVALID_TYPE = 'Invalid file type. Only MP4, WebM, and Ogg are allowed.'
const MAX_SIDE = 8192
const MAX_DURATION_SECONDS = 100 * 3600
/**
 * Decoded on the way, which costs nothing beside the start of the program: a header may promise pictures that cannot be
 * decoded. Where sound comes first these hold no picture, and a closer look decides.
 */
const TRIED_PACKETS = 30
const PROBE_LIMITS = { timeoutMs: 20_000, memoryBytes: 2 ** 30 }
const MAX_PROBED_BYTES = 2 ** 20
/** Files without an index are read through. */
const INDEX_TIMEOUT_MS = 120_000
/** What nobody could read by its index is damaged: where it also ends so much before its time, it breaks off. */
const LOST_SECONDS = 1
/** Decoders may leave out some pictures at the beginning of a whole film; where they leave out more, it is damaged there. */
const LEFT_OUT_SECONDS = 1

const rational = z.string().transform((text): Rational => {
  const [num = 0, den = 1] = text.split('/').map(Number)
  return { num, den }
})
const seconds = z.coerce.number().optional()
const probedStream = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().default('unknown'),
  profile: z.string().optional(),
  width: z.number().default(0),
  height: z.number().default(0),
  sample_aspect_ratio: z.string().optional(),
  pix_fmt: z.string().optional(),
  bits_per_raw_sample: z.string().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_primaries: z.string().optional(),
  color_transfer: z.string().optional(),
  field_order: z.string().optional(),
  r_frame_rate: rational.optional(),
  avg_frame_rate: rational.optional(),
  start_time: seconds,
  duration: seconds,
  sample_rate: z.coerce.number().optional(),
  channels: z.number().optional(),
  disposition: z
    .object({ default: z.number(), attached_pic: z.number(), timed_thumbnails: z.number() })
    .partial()
    .default({}),
  tags: z.record(z.string(), z.string()).default({}),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
})
const probed = z.object({
  frames: z
    .array(z.object({ stream_index: z.number().optional(), best_effort_timestamp_time: seconds }))
    .default([]),
  streams: z.array(probedStream).default([]),
  format: z.object({ duration: seconds, start_time: seconds }).default({}),
})
type ProbedStream = z.infer<typeof probedStream>

/** An ffprobe that waits for a file of one container. */
export type HeldProbe = { container: Container; run: HeldTool }

/** Starts ffprobe for a file that is not whole yet, for `probe`. `directory` takes what it needs. Whoever gets it disposes of it. */
export function holdProbe({ ffprobe }: MediaTools, container: Container, directory: string): HeldProbe {
  const argsFor = (input: string) => streamArgs(container, input)
  return { container, run: new HeldTool(ffprobe, argsFor, { directory, ...PROBE_LIMITS }) }
}

/**
 * Reads what a local file is, from its content alone. Takes milliseconds for files with an index, whatever their
 * length. Throws `SourceRefused` for whatever cannot become a video here. `held` is an ffprobe that waits for it.
 */
export async function probe(
  tools: MediaTools,
  path: string,
  signal?: AbortSignal,
  held?: HeldProbe,
): Promise<SourceInfo> {
  const container = await sniffFile(path)
  if (!container) throw new SourceRefused('unknown_container', INVALID_TYPE)
  const refused = new AbortController()
  const isOver = AbortSignal.any([
    refused.signal,
    AbortSignal.timeout(INDEX_TIMEOUT_MS),
    ...(signal ? [signal] : []),
  ])
  // Both read the same few bytes; the sender of the file waits for the slower one.
  const indexing = indexSource(tools, container, path, isOver).catch((cause: unknown) => {
    signal?.throwIfAborted()
    refuseToJudge(cause)
    throw new SourceRefused('unreadable', INVALID_TYPE, { cause })
  })
  indexing.catch(() => undefined)
  const { size, format, streams, videoStream, firstShown } = await describeStreams(
    tools,
    container,
    path,
    signal,
    held,
  ).catch((error: unknown) => {
    refused.abort()
    throw error
  })
  const index = await indexing
  const isBrokenOff =
    index.isBrokenOff ||
    (await isCutOff(path, container)) ||
    (container === 'webm' &&
      index.video.codecString === null &&
      (format.duration ?? 0) > index.video.endSeconds + LOST_SECONDS)
  const video = describeVideo(container, videoStream, index)
  const audio = describeAudio(streams, index, video)
    .map((track) => ({
      ...track,
      endSeconds: isBrokenOff ? Math.min(track.endSeconds, video.endSeconds) : track.endSeconds,
    }))
    .filter((track) => track.endSeconds > track.startSeconds)
  const start = Math.min(video.startSeconds, ...audio.map((track) => track.startSeconds))
  const end = Math.max(video.endSeconds, ...audio.map((track) => track.endSeconds))
  if (!(video.endSeconds > video.startSeconds)) throw new SourceRefused('unreadable', INVALID_TYPE)
  if (end - start > MAX_DURATION_SECONDS) throw tooLong()
  const source: SourceInfo = {
    container,
    sizeBytes: size,
    durationSeconds: end - Math.max(start, 0),
    video,
    audio,
    captions: describeCaptions(streams),
    index: {
      cutsMicros: index.cutsMicros,
      longestGapSeconds: index.longestGapSeconds,
      peakBitrate: Math.max(index.peakBitrate, Math.ceil((size * 8) / Math.max(end - start, 0.5))),
    },
    isBrokenOff,
  }
  const isDamagedFirst = firstShown > video.startSeconds + LEFT_OUT_SECONDS && firstShown < video.endSeconds
  return isDamagedFirst ? beginSourceAt(source, firstShown) : source
}

async function describeStreams(
  tools: MediaTools,
  container: Container,
  path: string,
  signal?: AbortSignal,
  held?: HeldProbe,
) {
  const { streams, format, frames } = await readStreams(tools, container, path, signal, held)
  const videoStream = streams.find((stream) => stream.codec_type === 'video' && !isStillImage(stream))
  if (!videoStream) throw new SourceRefused('no_video', INVALID_TYPE)
  refuseBombs(videoStream, format.duration)
  const seen = frames.find((frame) => frame.stream_index === videoStream.index)
  const firstShown =
    seen?.best_effort_timestamp_time ??
    (await findPicture({ tools, container, path, signal }).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new SourceRefused('unreadable', INVALID_TYPE, { cause })
    }))
  if (firstShown === undefined) throw new SourceRefused('unreadable', INVALID_TYPE)
  const { size } = await stat(path)
  return { size, format, streams, videoStream, firstShown }
}

/** What a file begins as, which may still grow. */
export async function sniffFile(path: string): Promise<Container | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    return sniffContainer(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

async function readStreams(
  tools: MediaTools,
  container: Container,
  path: string,
  signal?: AbortSignal,
  held?: HeldProbe,
) {
  const run = () =>
    readTool(tools.ffprobe, streamArgs(container, path), {
      signal,
      reads: [path],
      maxBytes: MAX_PROBED_BYTES,
      ...PROBE_LIMITS,
    })
  try {
    // what waited too long, or failed for whatever reason, says nothing about the file
    const isAwaited = held?.container === container
    const json = isAwaited ? await held.run.read(path, MAX_PROBED_BYTES).catch(run) : await run()
    return probed.parse(JSON.parse(json.toString('utf8')))
  } catch (cause) {
    signal?.throwIfAborted()
    refuseToJudge(cause)
    if (cause instanceof FfmpegError || cause instanceof z.ZodError || cause instanceof SyntaxError) {
      throw new SourceRefused('unreadable', INVALID_TYPE, { cause })
    }
    throw cause
  }
}

function streamArgs(container: Container, path: string): string[] {
  return [
    ...flags({ v: 'error' }),
    ...inputArgs(container, path),
    '-show_streams',
    '-show_format',
    '-show_frames',
    ...flags({
      show_entries: 'frame=stream_index,best_effort_timestamp_time',
      read_intervals: `%+#${TRIED_PACKETS}`,
      of: 'json',
    }),
  ]
}

/** Throws `unavailable` for what says more about the state of this machine than about the file. */
function refuseToJudge(cause: unknown): void {
  const isOfMachine =
    cause instanceof FfmpegError
      ? cause.timedOut || cause.wasKilled
      : cause instanceof Error && ('syscall' in cause || cause.name === 'TimeoutError')
  if (!isOfMachine) return
  throw new AppError('unavailable', 'The file could not be looked at in time, please try again', {
    retryAfterSeconds: 10,
    cause,
  })
}

function isStillImage(stream: ProbedStream): boolean {
  return stream.disposition.attached_pic === 1 || stream.disposition.timed_thumbnails === 1
}

/** Small files can claim to be enormous: what would take more memory or time than any real video is refused unseen. */
function refuseBombs(stream: ProbedStream, duration: number | undefined): void {
  if (stream.width < 1 || stream.height < 1) throw new SourceRefused('unreadable', INVALID_TYPE)
  if (stream.width > MAX_SIDE || stream.height > MAX_SIDE) {
    throw new SourceRefused(
      'too_large',
      `The picture is ${stream.width}x${stream.height}; at most ${MAX_SIDE}x${MAX_SIDE} is allowed.`,
    )
  }
  if ((duration ?? 0) > MAX_DURATION_SECONDS) throw tooLong()
}

function tooLong(): SourceRefused {
  return new SourceRefused('too_long', `The video is longer than ${MAX_DURATION_SECONDS / 3600} hours.`)
}

function describeVideo(container: Container, stream: ProbedStream, index: StreamIndex): VideoInfo {
  const rotation = normaliseRotation(
    stream.side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? 0,
  )
  const aspect = pixelAspect(stream.sample_aspect_ratio)
  const width = Math.max(1, Math.round(stream.width * aspect))
  const isTurned = rotation === 90 || rotation === 270
  const { startSeconds, endSeconds } = index.video
  return {
    codec: stream.codec_name,
    profile: stream.profile ?? null,
    codecString: isSizeTrue(stream, index) ? index.video.codecString : null,
    codedWidth: stream.width,
    codedHeight: stream.height,
    displayWidth: isTurned ? stream.height : width,
    displayHeight: isTurned ? width : stream.height,
    rotation,
    hasSquarePixels: aspect === 1,
    frameRate: frameRateOf(stream, index),
    isVariableFrameRate: index.isVariableFrameRate,
    pixelFormat: stream.pix_fmt ?? 'unknown',
    bitDepth: bitDepthOf(stream),
    isFullRange: stream.color_range === 'pc' || (stream.pix_fmt ?? '').startsWith('yuvj'),
    colorSpace: known(stream.color_space),
    colorPrimaries: known(stream.color_primaries),
    colorTransfer: known(stream.color_transfer),
    isHdr: stream.color_transfer === 'smpte2084' || stream.color_transfer === 'arib-std-b67',
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order ?? ''),
    // An edit list hides what lies before 0: decoders read it and show nothing of it.
    startSeconds: container === 'mp4' ? Math.max(0, startSeconds) : startSeconds,
    endSeconds,
  }
}

/** Pixels by which containers and pictures differ where pictures are cropped to whole blocks. */
const SIZE_SLACK = 16

/** Uploaded bits are announced with the container's size: where that is made up, players fail on them. */
function isSizeTrue(stream: ProbedStream, { video: { statedSize } }: StreamIndex): boolean {
  if (!statedSize) return true
  const [width, height] = statedSize
  return (
    width > 0 &&
    height > 0 &&
    Math.abs(width - stream.width) <= SIZE_SLACK &&
    Math.abs(height - stream.height) <= SIZE_SLACK
  )
}

function describeAudio(streams: ProbedStream[], index: StreamIndex, video: VideoInfo): AudioInfo[] {
  return streams
    .filter((stream) => stream.codec_type === 'audio')
    .map((stream, position) => {
      const indexed = index.audio[position]
      const start = stream.start_time ?? indexed?.startSeconds ?? 0
      return {
        position,
        codec: stream.codec_name,
        codecString: indexed?.codecString ?? null,
        channels: stream.channels ?? 0,
        sampleRate: stream.sample_rate ?? 0,
        language: languageOf(stream.tags),
        isDefault: stream.disposition.default === 1,
        startSeconds: start,
        endSeconds:
          indexed?.endSeconds ?? (stream.duration === undefined ? video.endSeconds : start + stream.duration),
      }
    })
    .filter((track) => track.channels > 0 && track.sampleRate > 0)
}

/** Subtitles that are words; others are pictures, or in a form that no browser shows. */
const captionCodecs = ['mov_text', 'webvtt', 'subrip', 'text']
const MAX_CAPTIONS = 32
const MAX_LABEL_CHARACTERS = 60
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

function describeCaptions(streams: ProbedStream[]): CaptionInfo[] {
  return streams
    .filter((stream) => stream.codec_type === 'subtitle')
    .map((stream, position) => ({ stream, position }))
    .filter(({ stream }) => captionCodecs.includes(stream.codec_name))
    .toSorted((a, b) => (b.stream.disposition.default ?? 0) - (a.stream.disposition.default ?? 0))
    .slice(0, MAX_CAPTIONS)
    .map(({ stream: { tags }, position }) => {
      const language = shortLanguage(languageOf(tags))
      const name = language === null ? undefined : languageNames.of(language)
      return { position, language, label: titleOf(tags) ?? name ?? 'Subtitles' }
    })
}

/** `eng`, as containers say it, is `en` to browsers. */
function shortLanguage(language: string | null): string | null {
  try {
    return Intl.getCanonicalLocales(language ?? [])[0] ?? null
  } catch {
    return null
  }
}

/** What people called a stream; what programs call every stream is no name. */
function titleOf(tags: Record<string, string>): string | undefined {
  const handler = tags['handler_name'] ?? ''
  const title = tags['title'] ?? (/handler|apple|gpac|bento/i.test(handler) ? '' : handler)
  const shown = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return Array.from(shown).slice(0, MAX_LABEL_CHARACTERS).join('') || undefined
}

function frameRateOf(stream: ProbedStream, index: StreamIndex): Rational {
  const measured = index.framesPerSecond
  if (!index.isVariableFrameRate) {
    for (const stated of [stream.r_frame_rate, stream.avg_frame_rate]) {
      if (stated && stated.den > 0 && Math.abs(stated.num / stated.den / measured - 1) < 0.01) return stated
    }
  }
  return { num: Math.max(1, Math.round(measured * 1000)), den: 1000 }
}

function pixelAspect(text: string | undefined): number {
  const [num, den] = (text ?? '1:1').split(':').map(Number)
  const ratio = (num ?? 1) / (den ?? 1)
  // A ratio beyond all cameras is a broken header or a trap; such pictures are shown as they are stored.
  return Number.isFinite(ratio) && ratio >= 0.2 && ratio <= 5 ? ratio : 1
}

function normaliseRotation(degrees: number): number {
  const turned = (((Math.round(degrees / 90) * 90) % 360) + 360) % 360
  return turned === 0 ? 0 : 360 - turned
}

function bitDepthOf(stream: ProbedStream): number {
  const stated = Number(stream.bits_per_raw_sample)
  if (stated > 0) return stated
  const named = /p(9|10|12|14|16)(le|be)?$/.exec(stream.pix_fmt ?? '')
  return named ? Number(named[1]) : 8
}

function languageOf(tags: Record<string, string>): string | null {
  const language = tags['language']?.toLowerCase() ?? ''
  return /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(language) && language !== 'und' ? language : null
}

function known(color: string | undefined): string | null {
  return color === undefined || color === 'unknown' || color === 'reserved' ? null : color
}
