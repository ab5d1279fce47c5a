import type { FileFormat } from '@kinora/contract/file-formats.ts'
import { damagedVideoMessage } from '@kinora/contract/videos.ts'
import { FfmpegError, flags, type MediaTools, readTool } from '../process/ffmpeg.ts'
import { inputArgs } from '../source/container.ts'
import { SourceRefused } from '../source/source-info.ts'

/** Decoding twelve hours of audio takes minutes. */
const TIMEOUT_MS = 30 * 60_000
const MAX_BYTES = 2 ** 24

interface Media {
  format: FileFormat
  path: string
  signal: AbortSignal
}

// `thumbnail` chooses the frame nearest to the average of its input, and holds all of it in memory: scaled down first.
const typicalFrame = "scale='min(1280,iw)':'min(1280,ih)':force_original_aspect_ratio=decrease,thumbnail=30"

/** `showwavespic` keeps all audio in memory: at 4 kHz in frames of a second, 30 MB an hour instead of 500. */
const waveform = [
  'color=c=0x16191d:s=1280x720[ground]',
  '[0:a:0]aformat=channel_layouts=mono:sample_rates=4000,asetnsamples=4000,showwavespic=s=1120x400:colors=0x63b5a4[wave]',
  '[ground][wave]overlay=80:160',
].join(';')

/**
 * A typical frame of the first second as PNG; of a file without video, its waveform. Throws `SourceRefused` if nothing
 * can be decoded.
 */
export async function readFrame(tools: MediaTools, media: Media): Promise<Buffer> {
  try {
    return await readPicture(tools, media, ['-map', '0:V:0', ...flags({ vf: typicalFrame })])
  } catch (error) {
    if (!isOfFile(error)) throw error
    return await drawWaveform(tools, media).catch((cause: unknown) => {
      if (!isOfFile(cause)) throw cause
      throw new SourceRefused('unreadable', damagedVideoMessage, { cause: error })
    })
  }
}

/** The waveform of an audio file as PNG. */
export function drawWaveform(tools: MediaTools, media: Media): Promise<Buffer> {
  return readPicture(tools, media, flags({ filter_complex: waveform }))
}

function readPicture(tools: MediaTools, { format, path, signal }: Media, filter: string[]): Promise<Buffer> {
  return readTool(
    tools.ffmpeg,
    [
      ...flags({ v: 'error' }),
      ...inputArgs({ container: format }, path),
      ...filter,
      ...flags({ 'frames:v': 1, 'c:v': 'png', f: 'image2pipe' }),
      'pipe:1',
    ],
    { signal, timeoutMs: TIMEOUT_MS, reads: [path], maxBytes: MAX_BYTES },
  )
}

const isOfFile = (error: unknown) => error instanceof FfmpegError && !error.isHostFailure
