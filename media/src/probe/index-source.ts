import { closeSync, openSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { WorkLimits } from '@kinora/platform/sandbox/preforked-process.ts'
import { inputArgs, type SourceFile } from '../source/container.ts'
import { flags, runTool, type MediaTools } from '../process/ffmpeg.ts'
import { readIndexInChild } from './index-process.ts'
import {
  type Frame,
  ImplausibleIndex,
  MAX_KEYFRAMES,
  SAMPLED_FRAMES,
  type StreamIndex,
  summarize,
  TOO_MANY_KEYFRAMES,
} from '../plan/stream-index.ts'

/**
 * The index of ten hours takes half a second on a fast and idle machine. Files without an index are read completely.
 */
const INDEX_TIMEOUT_MS = 30_000
const INDEX_CPU_SECONDS = 3
const READ_BYTES_PER_CPU_SECOND = 200e6
/** Limits how long the last frame of a truncated file is shown. */
const MAX_LAST_FRAME_SECONDS = 10

/** Reads keyframe times and stream times without reading the video, where the container has an index. */
export async function indexSource(
  tools: MediaTools,
  file: SourceFile,
  path: string,
  signal?: AbortSignal,
): Promise<StreamIndex> {
  // Ogg has no index.
  if (file.container === 'ogg') return indexFromPackets(tools, file, path, signal)
  // ffprobe reads files that exceed the limits of the index reader, or are too damaged for it.
  const bounds = await indexLimits(path, signal)
  const indexed = await readIndexInChild({ path, ...file }, bounds).catch((error: unknown) => {
    if (error instanceof ImplausibleIndex) throw error
    return undefined
  })
  signal?.throwIfAborted()
  return indexed ?? indexFromPackets(tools, file, path, signal)
}

/** Limits of a process that reads the index of a file. */
export async function indexLimits(path: string, signal: AbortSignal | undefined): Promise<WorkLimits> {
  const { size } = await stat(path)
  const cpuSeconds = INDEX_CPU_SECONDS + size / READ_BYTES_PER_CPU_SECOND
  return { timeoutMs: INDEX_TIMEOUT_MS, cpuSeconds, signal }
}

/** Reads a file completely with ffprobe, which decodes nothing. For containers without a usable index. */
export async function indexFromPackets(
  tools: MediaTools,
  file: SourceFile,
  path: string,
  signal?: AbortSignal,
): Promise<StreamIndex> {
  const frames: Frame[] = []
  const keyframeTimes: number[] = []
  let end = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  let chainedStreamOffset: number | undefined
  const readLine = (line: string) => {
    if (chainedStreamOffset !== undefined) return
    const [time, duration, size, offset, packetFlags] = line.split(',')
    const timestamp = Number(time)
    if (time === '' || Number.isNaN(timestamp)) return
    if (file.container === 'ogg' && timestamp < last && beginsStream(path, Number(offset))) {
      chainedStreamOffset = Number(offset)
      return
    }
    last = timestamp
    // discarded packets (flag D) are decoded and not shown
    if (packetFlags?.[1] === 'D') return
    const frame = {
      timestamp,
      duration: Number(duration) || 0,
      size: Number(size) || 0,
      isKey: packetFlags?.startsWith('K') === true,
    }
    end = Math.max(end, timestamp + Math.min(frame.duration, MAX_LAST_FRAME_SECONDS))
    if (frame.isKey && keyframeTimes.push(timestamp) > MAX_KEYFRAMES)
      throw new ImplausibleIndex(TOO_MANY_KEYFRAMES)
    if (frames.length < SAMPLED_FRAMES) frames.push(frame)
  }
  let rest = ''
  await runTool(
    tools.ffprobe,
    [
      ...flags({ v: 'error' }),
      ...inputArgs(file, path),
      ...flags({
        select_streams: 'V:0',
        show_entries: 'packet=pts_time,duration_time,size,pos,flags',
        of: 'csv=p=0',
      }),
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
  const summary = summarize(keyframeTimes, frames, end)
  // The last packet often carries no duration.
  const endSeconds = Math.max(
    end,
    Math.max(...frames.map((frame) => frame.timestamp)) + 1 / summary.framesPerSecond,
  )
  return {
    ...summary,
    isBrokenOff: chainedStreamOffset !== undefined,
    wholeBytes: chainedStreamOffset,
    video: { codecString: null, statedSize: null, startSeconds, endSeconds },
    audio: [],
  }
}

/** Whether the page of an Ogg at this offset begins a stream (RFC 3533, section 6): a chained second video. */
function beginsStream(path: string, offset: number): boolean {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(6)
    readSync(file, head, 0, head.length, offset)
    return head.toString('latin1', 0, 4) === 'OggS' && ((head[5] ?? 0) & 2) !== 0
  } finally {
    closeSync(file)
  }
}
