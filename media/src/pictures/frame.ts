import { AppError } from '@kinora/platform/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { FileFormat } from '@kinora/contract/videos/file-formats.ts'
import { FfmpegError, flags, type MediaTools, readTool } from '../process/ffmpeg.ts'
import { inputArgs } from '../source/container.ts'
import { frameSeconds, planTimeline } from '../plan/timeline.ts'
import { damagedVideo, type SourceInfo, SourceRefused } from '../source/source-info.ts'

/** Decoding twelve hours of audio takes minutes. */
const TIMEOUT_MS = 30 * 60_000
const MAX_BYTES = 2 ** 24
/** Decoding from a keyframe to the requested frame. */
const SEEK_TIMEOUT_MS = 60_000

interface Media {
  format: FileFormat
  path: string
  signal: AbortSignal
}

const fitFilter = "scale='min(1280,iw)':'min(1280,ih)':force_original_aspect_ratio=decrease"
// `thumbnail` chooses the frame nearest to the average of its input, and holds all of it in memory: scaled down first.
const typicalFrameFilter = `${fitFilter},thumbnail=30`

/** `showwavespic` keeps all audio in memory: at 4 kHz in frames of a second, 30 MB an hour instead of 500. */
const waveformFilter = [
  'color=c=0x16191d:s=1280x720[ground]',
  '[0:a:0]aformat=channel_layouts=mono:sample_rates=4000,asetnsamples=4000,showwavespic=s=1120x400:colors=0x63b5a4[wave]',
  '[ground][wave]overlay=80:160',
].join(';')

/**
 * The most typical of the first 30 frames as PNG; for a file without video, its waveform. Throws `SourceRefused` if nothing
 * can be decoded.
 */
export async function readFrame(tools: MediaTools, media: Media): Promise<Buffer> {
  try {
    return await readPicture(tools, media, [
      ...inputOf(media),
      '-map',
      '0:V:0',
      ...flags({ vf: typicalFrameFilter }),
    ])
  } catch (error) {
    if (!isFileFailure(error)) throw error
    return await drawWaveform(tools, media).catch((cause: unknown) => {
      if (!isFileFailure(cause)) throw cause
      throw damagedVideo(error)
    })
  }
}

/**
 * The frame that a player shows at `seconds` of the presentation, as PNG; before and after the video its first and last
 * one. Throws `SourceRefused` if it cannot be decoded.
 */
export async function readFrameAt(
  tools: MediaTools,
  { source, path, signal }: { source: SourceInfo; path: string; signal: AbortSignal },
  seconds: number,
): Promise<Buffer> {
  const { startSeconds, endSeconds } = source.video
  const timeline = planTimeline(source)
  const frame = frameSeconds(timeline)
  const at = Math.min(Math.max(timeline.zeroSeconds + seconds, startSeconds), endSeconds - frame / 2)
  // ffmpeg begins with the first frame that is not earlier, players show the last one that is not later
  const seek = flags({ seek_timestamp: 1, ss: (at - frame * 0.95).toFixed(6) })
  const args = [...seek, ...inputArgs(source, path), '-map', '0:V:0', ...flags({ vf: fitFilter })]
  const unreadable = (cause?: unknown) =>
    new SourceRefused('unreadable', new AppError(videoErrors.frameUnreadable), { cause })
  const picture = await readPicture(tools, { path, signal, timeoutMs: SEEK_TIMEOUT_MS }, args).catch(
    (error: unknown) => {
      throw isFileFailure(error) ? unreadable(error) : error
    },
  )
  if (picture.length === 0) throw unreadable()
  return picture
}

/** The waveform of an audio file as PNG. */
export function drawWaveform(tools: MediaTools, media: Media): Promise<Buffer> {
  return readPicture(tools, media, [...inputOf(media), ...flags({ filter_complex: waveformFilter })])
}

const inputOf = ({ format, path }: Media) => inputArgs({ container: format }, path)

function readPicture(
  tools: MediaTools,
  { path, signal, timeoutMs = TIMEOUT_MS }: { path: string; signal: AbortSignal; timeoutMs?: number },
  args: string[],
): Promise<Buffer> {
  return readTool(
    tools.ffmpeg,
    [...flags({ v: 'error' }), ...args, ...flags({ 'frames:v': 1, 'c:v': 'png', f: 'image2pipe' }), 'pipe:1'],
    { signal, timeoutMs, reads: [path], maxBytes: MAX_BYTES },
  )
}

const isFileFailure = (error: unknown) => error instanceof FfmpegError && !error.isHostFailure
