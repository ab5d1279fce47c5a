import { stat } from 'node:fs/promises'
import {
  CustomSource,
  type EncodedPacket,
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputVideoTrack,
  MP4,
  WEBM,
} from 'mediabunny'
import { inputArgs, type Container } from './container.ts'
import { runTool, type MediaTools } from './ffmpeg.ts'
import { readIndexApart } from './index-process.ts'
import type { SourceBytes } from './source-bytes.ts'
import { readTheoraFrames } from './theora.ts'
import { SEGMENT_SECONDS } from './timeline.ts'
import { readCueTimes } from './webm-cues.ts'

/** What reading a file's index tells. Times are seconds on the container's own clock. */
export type StreamIndex = {
  cutsMicros: number[]
  longestGapSeconds: number
  peakBitrate: number
  framesPerSecond: number
  isVariableFrameRate: boolean
  /** The file is shorter than its index says. */
  isBrokenOff: boolean
  /** `statedSize`: width and height as the container has them; nobody has compared them with the pictures. */
  video: {
    codecString: string | null
    statedSize: [width: number, height: number] | null
    startSeconds: number
    endSeconds: number
  }
  audio: { codecString: string | null; startSeconds: number; endSeconds: number | null }[]
}

/** Frames looked at to learn the frame rate and the densest bit rate: the first ones, and some all over a long film. */
const SAMPLED_FRAMES = 3000
const SPOT_CHECKS = 8
const SPOT_FRAMES = 300
/** Other runs of segments than those looked at may be denser; far more so where most was not looked at. */
const PEAK_MARGIN = { seen: 1.05, unseen: 1.2 }

/** A hundred hours of nothing but keyframes, ten a second: more is an index made to fill the memory. */
const MAX_KEYFRAMES = 3_600_000

/** The index of ten hours takes half a second, but machines may be slow and busy; files without one are read through. */
const INDEX_TIMEOUT_MS = 30_000
const INDEX_CPU_SECONDS = 3
const READ_BYTES_PER_CPU_SECOND = 200e6
/** A last frame is not shown for longer where its end stands in a torn file. */
const MAX_LAST_FRAME_SECONDS = 10

/** Where cues are further apart there may be keyframes between them. */
const MAX_CUE_GAP_SECONDS = 2 * SEGMENT_SECONDS

type Frame = { timestamp: number; duration: number; size: number; isKey: boolean }

/** Reads keyframe times and stream times without reading the film, where the container has an index. */
export async function indexSource(
  tools: MediaTools,
  container: Container,
  path: string,
  signal?: AbortSignal,
): Promise<StreamIndex> {
  // What is too much for that reader, or too torn, is read through like what it does not know.
  const { size } = await stat(path)
  const cpuSeconds = INDEX_CPU_SECONDS + size / READ_BYTES_PER_CPU_SECOND
  const bounds = { timeoutMs: INDEX_TIMEOUT_MS, cpuSeconds, signal }
  const indexed = await readIndexApart({ path, container }, bounds).catch(() => undefined)
  signal?.throwIfAborted()
  return indexed ?? indexFromPackets(tools, container, path, signal)
}

/** Opens a source for reading packets in process. */
export function openInput(bytes: SourceBytes): Input {
  const source =
    typeof bytes === 'string'
      ? new FilePathSource(bytes)
      : new CustomSource({
          getSize: () => bytes.sizeBytes,
          read: (start, end) => bytes.read(start, end),
          prefetchProfile: 'network',
          maxCacheSize: REMOTE_CACHE_BYTES,
          // what is read ahead and fails is asked for again by whoever needs it
          handleUnhandledError: () => undefined,
        })
  return new Input({ formats: [MP4, WEBM], source })
}

/** A source's index and the frames around the places where it is watched. */
const REMOTE_CACHE_BYTES = 4 * 1024 * 1024

/** Reads a container's index in this process; undefined for what the reader does not know. */
export async function readIndex(path: string, container: Container): Promise<StreamIndex | undefined> {
  return container === 'ogg' ? indexFromPages(path) : indexFromContainer(path)
}

/** Ogg has no index, but every page tells where in time it is. */
function indexFromPages(path: string): StreamIndex | undefined {
  const theora = readTheoraFrames(path, SAMPLED_FRAMES)
  if (!theora) return undefined
  const { framesPerSecond, firstNumber, lastNumber } = theora
  const secondsOf = (number: number) => (number - 1) / framesPerSecond
  const keys = new Set(theora.keyNumbers)
  const frames = theora.first.map(({ number, sizeBytes }) => ({
    timestamp: secondsOf(number),
    duration: 1 / framesPerSecond,
    size: sizeBytes,
    isKey: keys.has(number),
  }))
  const endSeconds = secondsOf(lastNumber + 1)
  return {
    ...summarise(theora.keyNumbers.map(secondsOf), frames, endSeconds),
    isBrokenOff: false,
    video: { codecString: null, statedSize: null, startSeconds: secondsOf(firstNumber), endSeconds },
    audio: [],
  }
}

async function indexFromContainer(path: string): Promise<StreamIndex | undefined> {
  const input = openInput(path)
  try {
    const video = await input.getPrimaryVideoTrack()
    // What this reader does not know (MPEG-4 part 2 in mp4, for one) ffprobe may.
    if (!video?.codec) return undefined
    const keys = (await readCues(input, path, video)) ?? (await readKeyTimes(video))
    if (keys.length === 0) return undefined
    const audio = []
    for (const track of await input.getAudioTracks()) {
      audio.push({
        codecString: track.codec ? await track.getCodecParameterString() : null,
        startSeconds: await track.getFirstTimestamp(),
        endSeconds: await track.computeDuration(),
      })
    }
    const startSeconds = await video.getFirstTimestamp()
    const statedEnd = await video.computeDuration()
    const brokenOffAt = await findBreak(video, keys)
    const endSeconds = brokenOffAt ?? statedEnd
    return {
      ...summarise(
        keys.filter((key) => key < endSeconds),
        await sampleFrames(video),
        endSeconds,
        await checkSpots(video, endSeconds),
      ),
      isBrokenOff: brokenOffAt !== undefined,
      video: {
        codecString: await video.getCodecParameterString(),
        statedSize: [video.codedWidth, video.codedHeight],
        startSeconds,
        endSeconds,
      },
      audio,
    }
  } finally {
    input.dispose()
  }
}

/** Where the picture ends in a file that was cut off; undefined when its last frame is there. */
async function findBreak(track: InputVideoTrack, keys: number[]): Promise<number | undefined> {
  const sink = new EncodedPacketSink(track)
  if (await sink.getPacket(Number.MAX_SAFE_INTEGER)) return undefined
  // The last keyframe that can be read, by halving: what is before the break is there, what is after is not.
  let [there, gone] = [-1, keys.length]
  while (gone - there > 1) {
    const middle = Math.floor((there + gone) / 2)
    if (await sink.getKeyPacket((keys[middle] ?? 0) + 0.0005)) there = middle
    else gone = middle
  }
  if (there < 0) throw new Error('the file holds no whole picture')
  let end = keys[there] ?? 0
  for (
    let packet = await sink.getKeyPacket(end + 0.0005);
    packet;
    packet = await sink.getNextPacket(packet)
  ) {
    end = Math.max(end, packet.timestamp + packet.duration)
  }
  return end
}

/** How many of a WebM's cues are compared with the pictures. */
const TRIED_CUES = 8

/**
 * The keyframe times of a WebM by its own index, for its reader looks into all of the film instead. Undefined where there
 * is none, where it is too sparse to cut by, or where it does not tell the truth.
 */
async function readCues(input: Input, path: string, track: InputVideoTrack): Promise<number[] | undefined> {
  if ((await input.getFormat()) !== WEBM) return undefined
  const cues = await readCueTimes(path, track.id)
  if (cues.length < TRIED_CUES || cues.length > MAX_KEYFRAMES) return undefined
  if (cues.some((cue, i) => i > 0 && cue - (cues[i - 1] ?? 0) > MAX_CUE_GAP_SECONDS)) return undefined
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket({ metadataOnly: true })
  const last = await sink.getPacket(Number.MAX_SAFE_INTEGER, { metadataOnly: true })
  if (!first || !last || last.timestamp - (cues.at(-1) ?? 0) > MAX_CUE_GAP_SECONDS) return undefined
  const isAt = (time: number, cue: number) => Math.abs(time - cue) < 0.0005
  if (!isAt(first.timestamp, cues[0] ?? Number.NaN)) return undefined
  for (let tried = 1; tried <= TRIED_CUES; tried++) {
    const cue = cues[Math.floor(((cues.length - 1) * tried) / TRIED_CUES)] ?? 0
    const key = await sink.getKeyPacket(cue + 0.0005, { metadataOnly: true })
    if (!key || !isAt(key.timestamp, cue)) return undefined
  }
  return cues
}

async function readKeyTimes(track: InputVideoTrack): Promise<number[]> {
  const sink = new EncodedPacketSink(track)
  const times: number[] = []
  let packet = await sink.getFirstPacket({ metadataOnly: true })
  while (packet) {
    if (packet.type === 'key') times.push(packet.timestamp)
    if (times.length > MAX_KEYFRAMES) throw new Error('more keyframes than any film has')
    packet = await sink.getNextKeyPacket(packet, { metadataOnly: true })
  }
  return times
}

function sampleFrames(track: InputVideoTrack): Promise<Frame[]> {
  return readFrames(new EncodedPacketSink(track), undefined, SAMPLED_FRAMES)
}

/** Some stretches of a film that is longer than what `sampleFrames` sees. */
async function checkSpots(track: InputVideoTrack, endSeconds: number): Promise<Frame[][]> {
  const sink = new EncodedPacketSink(track)
  const start = await track.getFirstTimestamp()
  const spots: Frame[][] = []
  for (let spot = 1; spot <= SPOT_CHECKS; spot++) {
    const at = start + ((endSeconds - start) * spot) / (SPOT_CHECKS + 1)
    const key = await sink.getKeyPacket(at, { metadataOnly: true })
    if (key) spots.push(await readFrames(sink, key, SPOT_FRAMES))
  }
  return spots
}

async function readFrames(
  sink: EncodedPacketSink,
  from: EncodedPacket | undefined,
  count: number,
): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const packet of sink.packets(from, undefined, { metadataOnly: true })) {
    frames.push({
      timestamp: packet.timestamp,
      duration: packet.duration,
      size: packet.byteLength,
      isKey: packet.type === 'key',
    })
    if (frames.length === count) break
  }
  return frames
}

/** Containers without an index are read through once by ffprobe, which decodes nothing. */
async function indexFromPackets(
  tools: MediaTools,
  container: Container,
  path: string,
  signal?: AbortSignal,
): Promise<StreamIndex> {
  const frames: Frame[] = []
  const keys: number[] = []
  let end = Number.NEGATIVE_INFINITY
  const readLine = (line: string) => {
    const [time, duration, size, flags] = line.split(',')
    const timestamp = Number(time)
    if (time === '' || Number.isNaN(timestamp)) return
    const frame = {
      timestamp,
      duration: Number(duration) || 0,
      size: Number(size) || 0,
      isKey: flags?.startsWith('K') === true,
    }
    end = Math.max(end, timestamp + Math.min(frame.duration, MAX_LAST_FRAME_SECONDS))
    if (frame.isKey) keys.push(timestamp)
    if (frames.length < SAMPLED_FRAMES) frames.push(frame)
  }
  let rest = ''
  await runTool(
    tools.ffprobe,
    [
      '-v',
      'error',
      ...inputArgs(container, path),
      '-select_streams',
      'V:0',
      '-show_entries',
      'packet=pts_time,duration_time,size,flags',
      '-of',
      'csv=p=0',
    ],
    {
      signal,
      timeoutMs: 120_000,
      reads: [path],
      memoryBytes: 2 ** 30,
      onOutput: (_, chunk) => {
        const lines = (rest + chunk.toString('latin1')).split('\n')
        rest = lines.pop() ?? ''
        lines.forEach(readLine)
      },
    },
  )
  if (frames.length === 0) throw new Error('no packets')
  const startSeconds = Math.min(...frames.map((frame) => frame.timestamp))
  const summary = summarise(keys, frames, end)
  // The last packet often carries no duration.
  const endSeconds = Math.max(
    end,
    Math.max(...frames.map((frame) => frame.timestamp)) + 1 / summary.framesPerSecond,
  )
  return {
    ...summary,
    isBrokenOff: false,
    video: { codecString: null, statedSize: null, startSeconds, endSeconds },
    audio: [],
  }
}

/** Thins keyframe times to cuts and learns rates from the sampled frames. Pure. */
function summarise(
  keys: number[],
  frames: Frame[],
  endSeconds: number,
  spots: Frame[][] = [],
): Pick<
  StreamIndex,
  'cutsMicros' | 'longestGapSeconds' | 'peakBitrate' | 'framesPerSecond' | 'isVariableFrameRate'
> {
  const cuts: number[] = []
  for (const key of keys) {
    const last = cuts.at(-1)
    if (last === undefined || key - last >= SEGMENT_SECONDS - 0.001) cuts.push(key)
  }
  let longestGapSeconds = 0
  cuts.forEach((cut, i) => {
    longestGapSeconds = Math.max(longestGapSeconds, (cuts[i + 1] ?? endSeconds) - cut)
  })
  return {
    cutsMicros: cuts.map((cut) => Math.round(cut * 1e6)),
    longestGapSeconds,
    peakBitrate: Math.ceil(
      Math.max(...[frames, ...spots].map(peakBitrate)) *
        PEAK_MARGIN[frames.length < SAMPLED_FRAMES ? 'seen' : 'unseen'],
    ),
    ...frameRate(frames),
  }
}

function peakBitrate(frames: Frame[]): number {
  let peak = 0
  let from = frames[0]?.timestamp ?? 0
  let bytes = 0
  for (const frame of frames) {
    if (frame.isKey && frame.timestamp - from >= SEGMENT_SECONDS - 0.001) {
      peak = Math.max(peak, (bytes * 8) / (frame.timestamp - from))
      from = frame.timestamp
      bytes = 0
    }
    bytes += frame.size
  }
  const last = frames.at(-1)
  const rest = last ? last.timestamp + last.duration - from : 0
  if (rest >= SEGMENT_SECONDS / 2) peak = Math.max(peak, (bytes * 8) / rest)
  return peak
}

function frameRate(frames: Frame[]): { framesPerSecond: number; isVariableFrameRate: boolean } {
  const times = frames.map((frame) => frame.timestamp).toSorted((a, b) => a - b)
  const steps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  if (steps.length === 0) {
    const only = frames[0]?.duration ?? 0
    return { framesPerSecond: only > 0 ? 1 / only : 25, isVariableFrameRate: false }
  }
  const span = steps.reduce((sum, step) => sum + step, 0)
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0.04
  // WebM rounds times to milliseconds: that much unevenness is no variable rate.
  const tolerance = Math.max(median * 0.25, 0.0021)
  const isVariableFrameRate = steps.some((step) => Math.abs(step - median) > tolerance)
  const average = span > 0 ? steps.length / span : 25
  // Gaps bring the average down; what matters is how fast frames come where they come.
  const framesPerSecond = isVariableFrameRate ? Math.max(average, 1 / Math.max(median, 0.001)) : average
  return { framesPerSecond, isVariableFrameRate }
}
