import pLimit from 'p-limit'
import { FfmpegError, flags, readTool, type MediaTools } from '../process/ffmpeg.ts'
import { writeSegment, type Sample } from '../containers/mp4/fmp4.ts'
import { AAC_FRAME_SAMPLES, type AudioPlan } from '../plan/timeline.ts'

/** Decoding a few seconds of audio takes some milliseconds. */
const DECODE_TIMEOUT_MS = 10_000
/** Real viewers request few damaged segments at a time. The limit protects against floods. */
const limitDecoders = pLimit(2)
/** A line for each frame of one segment. */
const MAX_OUTPUT_BYTES = 2 ** 22

/** Element ids of an AAC frame, and the id that ends it (ISO/IEC 14496-3, table 4.85). */
const SINGLE = 0
const PAIR = 1
const FILL = 6
const END = 7

/** A remuxed audio track: its init segment and the timescale of that. */
type RemuxedAudio = { init: Buffer; timescale: number }

/**
 * The frames of an AAC segment, with silence in place of frames that cannot be decoded, since players abort at one of
 * those. Only frames that look incomplete are decoded; for healthy audio only the ends of frames are checked.
 */
export async function replaceDamagedFrames(
  tools: MediaTools,
  plan: AudioPlan,
  copied: RemuxedAudio,
  samples: Sample[],
): Promise<Sample[]> {
  if (samples.every(seemsComplete)) return samples
  const decoded = await findDecodable(tools, plan, copied, samples)
  if (decoded.size === samples.length) return samples
  const data = audioGap(plan.channels)
  // noise that a decoder happens to accept is no audio either
  return samples.map((sample, at) =>
    decoded.has(at) && seemsComplete(sample) ? sample : { ...sample, data },
  )
}

/** Whether a frame begins with its first channels and ends with its last byte. Damaged frames hardly ever do both. */
function seemsComplete({ data }: Sample): boolean {
  const last = data.at(-1) ?? 0
  if (last === 0) return false
  // the end is padded with zeros to a whole byte
  const tail = ((data.at(-2) ?? 0) << 8) | last
  const ends = ((tail / (last & -last)) & END) === END
  const bits = (at: number, count: number) => {
    const word = ((data[at >> 3] ?? 0) << 8) | (data[(at >> 3) + 1] ?? 0)
    return (word >> (16 - (at & 7) - count)) & (2 ** count - 1)
  }
  let at = 0
  while (bits(at, 3) === FILL && at < data.length * 8) {
    const count = bits(at + 3, 4)
    const isLong = count === 15
    at += 7 + (isLong ? 8 : 0) + 8 * (isLong ? 14 + bits(at + 7, 8) : count)
  }
  const first = bits(at, 7)
  return ends && (first === SINGLE << 4 || first === PAIR << 4)
}

/** Indexes of the frames that a decoder accepts. Throws if it could not be run. */
async function findDecodable(
  tools: MediaTools,
  { sampleRate }: AudioPlan,
  { init, timescale }: RemuxedAudio,
  samples: Sample[],
): Promise<Set<number>> {
  const ticksOf = (frame: number) => Math.round((frame * AAC_FRAME_SAMPLES * timescale) / sampleRate)
  const placed = samples.map((sample, frame) => ({ ...sample, pts: ticksOf(frame) }))
  const video = Buffer.concat([init, writeSegment(1, placed, ticksOf(samples.length))])
  const args = [
    ...flags({ v: 'fatal', max_error_rate: 1, threads: 1, f: 'mov', i: 'pipe:0', map: '0:a:0' }),
    ...flags({ 'c:a': 'pcm_s16le', f: 'framecrc' }),
    '-',
  ]
  const options = { timeoutMs: DECODE_TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES, input: once(video) }
  const output = await limitDecoders(() => readTool(tools.ffmpeg, args, options)).catch((error: unknown) => {
    if (!(error instanceof FfmpegError) || error.isHostFailure) throw error
    // no frame was decoded
    return Buffer.alloc(0)
  })
  const text = output.toString('latin1')
  const ticksPerSecond = Number(/^#tb 0: 1\/(\d+)/m.exec(text)?.[1] ?? sampleRate)
  const ticksPerFrame = (AAC_FRAME_SAMPLES * ticksPerSecond) / sampleRate
  const times = text.matchAll(/^0, *-?\d+, *(-?\d+),/gm)
  return new Set(Array.from(times, ([, pts]) => Math.round(Number(pts) / ticksPerFrame)))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * The shortest AAC-LC frame of any sample rate, with no coded bands. Mono: the channel's number and its description are
 * zero, then the end. Stereo: the same, with one window for both channels.
 */
export function audioGap(channels: number): Uint8Array {
  return channels === 1 ? Uint8Array.of(0, 0, 0, END) : Uint8Array.of((PAIR << 5) | 1, 0, 0, 0, 0, END << 2)
}
