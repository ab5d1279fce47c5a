import { open, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { FileFormat } from '@kinora/contract/videos/file-formats.ts'
import pLimit from 'p-limit'
import { z } from 'zod'
import { AppError } from '@kinora/platform/errors.ts'
import { inputArgs, SNIFF_BYTES, sniffContainer, sniffFormat, type SourceFile } from '../source/container.ts'
import { isSupportedVideo, refusedCodec } from '../source/decoders.ts'
import { beginSourceAt, withDuration } from '../damage/source-damage.ts'
import {
  describeAudio,
  describeCaptions,
  describeChapters,
  describeVideo,
  isStillImage,
  probed,
  type Probed,
  type ProbedStream,
} from './describe-streams.ts'
import { FfmpegError, flags, readTool, type MediaTools } from '../process/ffmpeg.ts'
import type { PlainStream } from '../containers/mp4/plain-streams.ts'
import { readPlainInChild } from './index-process.ts'
import { indexFromPackets, indexLimits, indexSource } from './index-source.ts'
import { findDamagePosition } from '../damage/damage-position.ts'
import { findFirstFrameTime } from '../damage/find-damage.ts'
import { damagedVideo, SourceRefused, type SourceInfo, unsupportedCodec } from '../source/source-info.ts'
import { planTimeline } from '../plan/timeline.ts'
import { ImplausibleIndex, type StreamIndex } from '../plan/stream-index.ts'
import { detectTruncation } from '../damage/truncation.ts'

const MAX_SIDE = 8192
const MAX_DURATION_SECONDS = 12 * 3600
/** 8192x4352 is 8K of cameras. A square of that side would take twice the memory to encode. */
const MAX_PIXELS = 8192 * 4352
/**
 * Packets decoded during the probe, which takes little time compared with the start of ffprobe. A header may promise
 * frames that cannot be decoded. If audio comes first, these packets contain no frame, and a second inspection decides.
 */
const TRIED_PACKETS = 30
const PROBE_LIMITS = { timeoutMs: 20_000, memoryBytes: 2 ** 30 }
const MAX_PROBED_BYTES = 2 ** 20
/** Files without an index are read completely. */
const INDEX_TIMEOUT_MS = 120_000
/** A file without a readable index that ends this much before its stated duration counts as truncated. */
const LOST_SECONDS = 1
/**
 * Ends of the video that the index and ffprobe may state differently. Beyond that, all packets are read and the later end
 * is the right one.
 */
const AGREED_SECONDS = 0.5
/** Decoders may drop some frames at the beginning of an intact video. If they drop more, its beginning is damaged. */
const DROPPED_SECONDS = 1

/** Container of a file, by its first and last bytes. */
type IdentifiedFile = { file: SourceFile; isTruncated: boolean }

/** Streams of a file by ffprobe. `firstShown` is the time of the first frame that can be decoded. */
type DescribedStreams = Pick<Probed, 'format' | 'streams' | 'chapters'> & {
  size: number
  videoStream: ProbedStream
  firstShown: number
}

/**
 * Inspects a local file by its content alone, in five steps. Takes milliseconds for files with an index, whatever their
 * length. Throws `SourceRefused` for files that cannot become a video.
 */
export async function probe(tools: MediaTools, path: string, signal?: AbortSignal): Promise<SourceInfo> {
  const identified = await identifyFile(path)
  try {
    const [stated, described] = await readAndDescribe(tools, identified.file, path, signal)
    const index = await verifyIndex(tools, identified, path, stated, described, signal)
    const source = combineTracks(identified, index, described)
    return beginWithFirstFrame(nameChapters(source, described), described)
  } catch (error) {
    if (!(error instanceof SourceRefused) || error.reason !== 'unreadable') throw error
    const { container } = identified.file
    throw damagedVideo(error.cause, await findDamagePosition(path, container, error.cause))
  }
}

/**
 * Inspects a plain MP4 as `probe` does, without a process of ffprobe, and without decoding its first frames: for collections of
 * many files. Undefined for all other files, and for those that are damaged.
 */
export async function probePlain(path: string, signal?: AbortSignal): Promise<SourceInfo | undefined> {
  try {
    const identified = await identifyFile(path)
    if (identified.file.container !== 'mp4' || identified.isTruncated) return undefined
    const limits = await indexLimits(path, signal)
    const request = { path, ...identified.file, describesPlain: true }
    const { index, streams: plain } = await readers(() => readPlainInChild(request, limits))
    if (!index || !plain || index.isBrokenOff || index.wholeBytes !== undefined) return undefined
    const { streams } = probed.parse({ streams: withStarts(plain, index) })
    const videoStream = streams.find((stream) => stream.codec_type === 'video')
    if (!videoStream) return undefined
    const { size } = await stat(path)
    const format = { duration: index.video.endSeconds }
    refuseBombs(videoStream, format)
    const described = {
      size,
      format,
      streams,
      chapters: [],
      videoStream,
      firstShown: index.video.startSeconds,
    }
    return combineTracks(identified, index, described)
  } catch (error) {
    signal?.throwIfAborted()
    // the inspection that follows states the reason
    if (error instanceof Error) return undefined
    throw error
  }
}

/** As many as stay: of more, each would start a process. */
const readers = pLimit(availableParallelism())

/** ffprobe begins audio where its edit list does. */
const withStarts = (streams: readonly PlainStream[], index: StreamIndex) =>
  streams.map((stream) =>
    stream.codec_type === 'audio'
      ? { ...stream, start_time: Math.max(0, index.audio[0]?.startSeconds ?? 0) }
      : stream,
  )

/** Step 1: recognizes the container, and how much of it is there. */
async function identifyFile(path: string): Promise<IdentifiedFile> {
  const container = sniffContainer(await headOf(path))
  if (!container) throw new SourceRefused('unknown_container', new AppError(videoErrors.fileTypes))
  const { isTruncated, wholeBytes } = await detectTruncation(path, container)
  return { file: { container, wholeBytes }, isTruncated }
}

/** Steps 2 and 3: concurrent, because the uploader waits for the slower of the two. A refusal by one ends the other. */
async function readAndDescribe(
  tools: MediaTools,
  file: SourceFile,
  path: string,
  signal: AbortSignal | undefined,
): Promise<[StreamIndex, DescribedStreams]> {
  const refused = new AbortController()
  const ends = AbortSignal.any([refused.signal, ...(signal ? [signal] : [])])
  const indexing = readIndex(
    tools,
    file,
    path,
    AbortSignal.any([AbortSignal.timeout(INDEX_TIMEOUT_MS), ends]),
  ).catch((refusal: unknown) => {
    signal?.throwIfAborted()
    // An index built to exhaust memory ends the inspection.
    if (refusal instanceof SourceRefused && refusal.cause instanceof ImplausibleIndex) refused.abort(refusal)
    throw refusal
  })
  // Awaited below; until then a failure must not be an unhandled rejection.
  indexing.catch(() => undefined)
  const described = await describeStreams(tools, file, path, ends).catch((error: unknown) => {
    refused.abort()
    throw error
  })
  return [await indexing, described]
}

/** Step 2: the times of the keyframes and the ends of the tracks. */
async function readIndex(
  tools: MediaTools,
  file: SourceFile,
  path: string,
  signal: AbortSignal,
): Promise<StreamIndex> {
  try {
    return await indexSource(tools, file, path, signal)
  } catch (cause) {
    rethrowHostFailure(cause)
    throw damagedVideo(cause)
  }
}

/**
 * The index, or that of all packets if it ends before them. Each reader overlooks frames in some files: what one of them
 * finds is in the file.
 */
async function verifyIndex(
  tools: MediaTools,
  { file, isTruncated }: IdentifiedFile,
  path: string,
  index: StreamIndex,
  { format, videoStream: { start_time: from = 0, duration } }: DescribedStreams,
  signal: AbortSignal | undefined,
): Promise<StreamIndex> {
  const probedEnd = duration === undefined ? format.duration : from + duration
  const isKnown = isReadThrough(index) || index.isBrokenOff || isTruncated
  if (isKnown || (probedEnd ?? 0) <= index.video.endSeconds + AGREED_SECONDS) return index
  const packets = await indexFromPackets(tools, file, path, signal).catch((error: unknown) => {
    signal?.throwIfAborted()
    rethrowHostFailure(error)
    return undefined
  })
  const isLonger = packets && packets.video.endSeconds > index.video.endSeconds + AGREED_SECONDS
  return isLonger ? packets : index
}

/** Whether the index was made of all packets: those of containers state a size. */
function isReadThrough(index: StreamIndex): boolean {
  return index.video.statedSize === null
}

/** Step 3: codecs, sizes and languages, and the first frame. */
async function describeStreams(
  tools: MediaTools,
  file: SourceFile,
  path: string,
  signal: AbortSignal,
): Promise<DescribedStreams> {
  const { streams, chapters, format, frames } = await readStreams(tools, file, path, signal)
  const videoStream = streams.find((stream) => stream.codec_type === 'video' && !isStillImage(stream))
  if (!videoStream) throw new SourceRefused('no_video', new AppError(videoErrors.fileTypes))
  if (!isSupportedVideo(videoStream.codec_name)) throw unsupportedCodec(nameOf(videoStream))
  refuseBombs(videoStream, format)

  const seen = frames.find((frame) => frame.stream_index === videoStream.index)
  const firstShown =
    seen?.best_effort_timestamp_time ??
    (await findFirstFrameTime({ tools, file, path, signal }).catch((cause: unknown) => {
      signal.throwIfAborted()
      throw damagedVideo(cause)
    }))
  if (firstShown === undefined) throw damagedVideo()

  const { size } = await stat(path)
  return { size, format, streams, chapters, videoStream, firstShown }
}

/** Step 4: the tracks, each with the times of the index. */
function combineTracks(
  { file: { container, wholeBytes: readableBytes }, isTruncated }: IdentifiedFile,
  index: StreamIndex,
  { size, format, streams, videoStream }: DescribedStreams,
): SourceInfo {
  const wholeBytes = index.wholeBytes ?? readableBytes
  // A WebM without a stated size that ends before the duration in its header.
  const isShorterThanStated = (format.duration ?? 0) > index.video.endSeconds + LOST_SECONDS
  const isTruncatedWebm = container === 'webm' && isReadThrough(index) && isShorterThanStated
  const isBrokenOff = index.isBrokenOff || isTruncated || isTruncatedWebm

  const video = describeVideo(container, videoStream, index)
  const audio = describeAudio(streams, index, video)
    .map((track) => ({
      ...track,
      endSeconds: isBrokenOff ? Math.min(track.endSeconds, video.endSeconds) : track.endSeconds,
    }))
    .filter((track) => track.endSeconds > track.startSeconds)

  const start = Math.min(video.startSeconds, ...audio.map((track) => track.startSeconds))
  const end = Math.max(video.endSeconds, ...audio.map((track) => track.endSeconds))
  if (!(video.endSeconds > video.startSeconds)) throw damagedVideo()
  if (end - start > MAX_DURATION_SECONDS) throw tooLong()

  return withDuration({
    container,
    sizeBytes: size,
    ...(wholeBytes === undefined ? {} : { wholeBytes }),
    video,
    audio,
    captions: describeCaptions(streams),
    index: {
      cutsMicros: index.cutsMicros,
      longestGapSeconds: index.longestGapSeconds,
      peakBitrate: index.peakBitrate,
    },
    isBrokenOff,
  })
}

/** Step 5: chapters on the timeline of the tracks, and a beginning that can be decoded. */
function nameChapters(source: SourceInfo, { chapters }: DescribedStreams): SourceInfo {
  const named = describeChapters(chapters, planTimeline(source))
  return named.length > 0 ? { ...source, chapters: named } : source
}

function beginWithFirstFrame(source: SourceInfo, { firstShown }: DescribedStreams): SourceInfo {
  const { startSeconds, endSeconds, demuxerDelaySeconds = 0 } = source.video
  const first = firstShown - demuxerDelaySeconds
  const isDamagedFirst = first > startSeconds + DROPPED_SECONDS && first < endSeconds
  return isDamagedFirst ? beginSourceAt(source, first) : source
}

/** Format of a file by its first bytes. */
export async function sniffFileFormat(path: string): Promise<FileFormat | undefined> {
  return sniffFormat(await headOf(path))
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function readStreams(tools: MediaTools, file: SourceFile, path: string, signal: AbortSignal) {
  try {
    const json = await readTool(tools.ffprobe, streamArgs(file, path), {
      signal,
      reads: [path],
      maxBytes: MAX_PROBED_BYTES,
      ...PROBE_LIMITS,
    })
    return probed.parse(JSON.parse(json.toString('utf8')))
  } catch (cause) {
    signal.throwIfAborted()
    rethrowHostFailure(cause)
    const decoder = cause instanceof FfmpegError ? refusedCodec(cause.stderr) : undefined
    if (decoder !== undefined) throw unsupportedCodec(decoder)
    if (cause instanceof FfmpegError || cause instanceof z.ZodError || cause instanceof SyntaxError) {
      throw damagedVideo(cause)
    }
    throw cause
  }
}

function streamArgs(file: SourceFile, path: string): string[] {
  return [
    ...flags({ v: 'error' }),
    ...inputArgs(file, path),
    '-show_streams',
    '-show_format',
    '-show_frames',
    ...flags({
      show_entries: 'frame=stream_index,best_effort_timestamp_time:chapter=start_time:chapter_tags=title',
      read_intervals: `%+#${TRIED_PACKETS}`,
      of: 'json',
    }),
  ]
}

/** Throws `unavailable` for failures that are caused by this machine rather than by the file. */
function rethrowHostFailure(cause: unknown): void {
  const isHostFailure =
    cause instanceof FfmpegError
      ? cause.isHostFailure
      : cause instanceof Error && ('syscall' in cause || cause.name === 'TimeoutError')
  if (!isHostFailure) return
  throw new AppError(videoErrors.inspectionTimedOut, {
    retryAfterSeconds: 10,
    cause,
  })
}

/**
 * Refuses what would take more memory or time than any real video, before it is decoded: small files can claim enormous
 * sizes.
 */
function refuseBombs(stream: ProbedStream, format: Probed['format']): void {
  if (stream.width < 1 || stream.height < 1) throw damagedVideo()
  const size = `${stream.width}x${stream.height}`
  if (stream.width > MAX_SIDE || stream.height > MAX_SIDE) {
    throw new SourceRefused(
      'too_large',
      new AppError(videoErrors.pictureTooWide, { size, limit: `${MAX_SIDE}x${MAX_SIDE}` }),
    )
  }
  if (stream.width * stream.height > MAX_PIXELS) {
    throw new SourceRefused('too_large', new AppError(videoErrors.pictureTooLarge, { size }))
  }
  // The duration of some containers is their last timestamp, and clocks may begin late.
  const seconds = (format.duration ?? 0) - Math.max(0, format.start_time ?? 0)
  if (seconds > MAX_DURATION_SECONDS) throw tooLong()
}

/** The name that ffprobe has for a codec, or that of the container. */
function nameOf({ codec_name: name, codec_tag_string: tag = '' }: ProbedStream): string {
  return name === 'unknown' && /^[\w -]+$/.test(tag) ? tag : name
}

function tooLong(): SourceRefused {
  return new SourceRefused(
    'too_long',
    new AppError(videoErrors.videoTooLong, { limit: MAX_DURATION_SECONDS / 3600 }),
  )
}
