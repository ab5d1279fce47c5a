import { inputArgs } from '../source/container.ts'
import type { EncodeJob } from '../encode/encode.ts'
import { flags, outputUrl, readTool } from '../process/ffmpeg.ts'
import { SPEECH_SAMPLE_RATE } from './speech.ts'

/** Longest range that is decoded at once. It takes 58 MB of memory, and twice that while it is read. */
export const MAX_DECODED_SECONDS = 30 * 60
/** Seeking begins this much earlier; what comes before the range is dropped. */
const SEEK_MARGIN_SECONDS = 1

export interface AudioRange {
  /** Position among the audio streams, as in `AudioInfo`. */
  audioTrack: number
  /** In presentation time: 0 is the beginning of what viewers see. */
  fromSeconds: number
  toSeconds: number
}

/**
 * Decodes a range of an audio track to mono PCM of `SPEECH_SAMPLE_RATE`. The result has exactly as many samples as the
 * range: gaps, and what cannot be decoded, are silence. Rejects with `FfmpegError`, or with the signal's reason.
 */
export async function decodeSpeechAudio(
  { tools, source, timeline, path, niceness }: Omit<EncodeJob, 'signal'>,
  { audioTrack, fromSeconds, toSeconds }: AudioRange,
  signal?: AbortSignal,
): Promise<Int16Array> {
  const samples = Math.round((toSeconds - fromSeconds) * SPEECH_SAMPLE_RATE)
  if (!(samples > 0)) return new Int16Array()
  if (toSeconds - fromSeconds > MAX_DECODED_SECONDS)
    throw new RangeError(`at most ${MAX_DECODED_SECONDS} s are decoded at once`)
  const start = timeline.zeroSeconds + fromSeconds
  const seek = start - SEEK_MARGIN_SECONDS
  const filters = [
    `aresample=${SPEECH_SAMPLE_RATE}:ochl=mono`,
    // Fills gaps with silence and starts exactly at the range, whichever packet the seek has found. A filter of its own,
    // because `first_pts` counts samples of its input.
    `aresample=async=1:first_pts=${Math.round(start * SPEECH_SAMPLE_RATE)}`,
    'apad',
    `atrim=end_sample=${samples}`,
  ]
  const args = [
    '-nostdin',
    ...flags({ v: 'error', max_error_rate: 1 }),
    ...(seek > 0 ? ['-noaccurate_seek', ...flags({ seek_timestamp: 1, ss: seek.toFixed(6) })] : []),
    '-copyts',
    ...inputArgs(source, path),
    ...flags({ map: `0:a:${audioTrack}`, af: filters.join(','), 'c:a': 'pcm_s16le', f: 's16le' }),
    outputUrl(0),
  ]
  const bytes = await readTool(tools.ffmpeg, args, {
    signal,
    niceness,
    // Containers without an index are read from the start.
    timeoutMs: 60_000 + (toSeconds - fromSeconds) * 200 + source.sizeBytes / 20_000,
    reads: [path],
    maxBytes: samples * Int16Array.BYTES_PER_ELEMENT,
  })
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / Int16Array.BYTES_PER_ELEMENT)
}
