import { inputArgs } from '../source/container.ts'
import type { EncodeJob } from './encode.ts'
import { flags, outputUrl, runTool } from '../process/ffmpeg.ts'
import { MUXER_SHIFT_SECONDS } from './ffmpeg-args.ts'
import type { CaptionInfo } from '../source/source-info.ts'
import { escapeCueLine, formatTimestamp } from './webvtt.ts'

/** Longer than the captions of any video; the rest is cut off. */
const MAX_BYTES = 4 * 2 ** 20

/** Extracts one caption track as WebVTT on the clock of the presentation. */
export async function extractCaptions(job: EncodeJob, { position }: CaptionInfo): Promise<Buffer> {
  const { tools, source, timeline, path, signal, niceness } = job
  const chunks: Buffer[] = []
  let sizeBytes = 0
  const args = [
    ...flags({ v: 'error', max_error_rate: 1 }),
    '-nostdin',
    '-copyts',
    ...inputArgs(source, path),
    // Plain SubRip: ffmpeg's own WebVTT output passes on text that would be parsed as markup or as a time.
    ...flags({
      map: `0:s:${position}`,
      'c:s': 'text',
      avoid_negative_ts: 'disabled',
      output_ts_offset: MUXER_SHIFT_SECONDS,
      f: 'srt',
    }),
    outputUrl(0),
  ]
  await runTool(tools.ffmpeg, args, {
    signal,
    niceness,
    // Caption packets are interleaved with the video, so all of the file is read.
    timeoutMs: 60_000 + source.sizeBytes / 20_000,
    reads: [path],
    onOutput: (_, chunk) => {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes > MAX_BYTES) throw new Error(`captions of more than ${MAX_BYTES} bytes`)
    },
  }).catch((error: unknown) => {
    if (sizeBytes <= MAX_BYTES) throw error
  })
  const text = Buffer.concat(chunks).toString('utf8')
  const complete = sizeBytes > MAX_BYTES ? text.slice(0, text.lastIndexOf('\n\n')) : text
  return Buffer.from(
    toCaptionsVtt(complete, MUXER_SHIFT_SECONDS + timeline.zeroSeconds, timeline.durationSeconds),
  )
}

/** The number and the times of a cue in SubRip. */
const cueHeader = /^\d+\n(\d{2,}):(\d\d):(\d\d),(\d{3}) --> (\d{2,}):(\d\d):(\d\d),(\d{3})(?:\n|$)/

/**
 * Converts plain SubRip into WebVTT: `zeroSeconds` becomes 0, and cues outside of the video are dropped. Text is
 * escaped, so that nothing in a cue is markup.
 */
export function toCaptionsVtt(srt: string, zeroSeconds: number, durationSeconds: number): string {
  const cues: { from: number; to: number; lines: string[] }[] = []
  for (const part of srt.replaceAll(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const match = cueHeader.exec(part)
    // An empty line within a cue does not end it.
    const cue = match ? { ...readTimes(match, zeroSeconds), lines: [] } : cues.at(-1)
    if (!cue) continue
    if (match) cues.push(cue)
    cue.lines.push(...part.slice(match?.[0].length ?? 0).split('\n'))
  }
  const shown = cues.flatMap(({ from, to, lines }) => {
    const [start, end] = [Math.max(from, 0), Math.min(to, durationSeconds)]
    const text = lines.map(escapeCueLine).filter((line) => line !== '')
    if (!(start < end) || text.length === 0) return []
    return [`${formatTimestamp(start)} --> ${formatTimestamp(end)}\n${text.join('\n')}\n`]
  })
  return `WEBVTT\n\n${shown.join('\n')}`
}

function readTimes(match: RegExpExecArray, zeroSeconds: number): { from: number; to: number } {
  const seconds = (first: number) => {
    const [hours = 0, minutes = 0, rest = 0, milliseconds = 0] = match.slice(first, first + 4).map(Number)
    return hours * 3600 + minutes * 60 + rest + milliseconds / 1000 - zeroSeconds
  }
  return { from: seconds(1), to: seconds(5) }
}
