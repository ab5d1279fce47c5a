import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeInit, encodeSegments } from './encode/encode.ts'
import { planPresentation } from './plan/hls.ts'
import { probe } from './probe/probe.ts'
import type { SourceInfo } from './source/source-info.ts'
import { drawFile } from './testing/draw-file.ts'

/**
 * Recordings of four seconds by Chromium 156: by `MediaRecorder`, whose WebM has no duration, no cues and clusters of unknown size,
 * and by WebCodecs, as fragmented MP4 with Opus. The last one is like those of `MediaRecorder` in Firefox: VP8 with uneven frames and
 * hardly any keyframes, without duration and cues. A recording whose tab was closed ends anywhere.
 */
const firefox = 'firefox.webm'
const recordings = ['media-recorder.webm', 'media-recorder.mp4', 'web-codecs.mp4', firefox]
const firefoxArgs = [
  '-f lavfi -i testsrc2=s=320x180:r=30:d=4.2 -f lavfi -i sine=d=4.2:r=48000 -vf',
  String.raw`select=gt(mod(n\,5)\,0)`,
  '-fps_mode vfr -c:v libvpx -deadline realtime -cpu-used 8 -b:v 1M -g 1000 -c:a libopus -live 1 -f webm',
].flatMap((part, i) => (i === 1 ? [part] : part.split(' ')))
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-recordings-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function fileOf(name: string): Promise<string> {
  if (name !== firefox) return path.join(import.meta.dirname, 'testing/recordings', name)
  const file = path.join(directory, `whole-${name}`)
  await writeFile(file, await drawFile(firefoxArgs, 'webm'))
  return file
}

/** Encodes the segment at the end, which a player that seeks there requests first. */
async function encodeLast(file: string, source: SourceInfo): Promise<number> {
  const { timeline, renditions } = planPresentation(source)
  const rendition = renditions[0]
  if (!rendition) throw new Error('The recording has no rendition')
  const job = { tools, path: file, source, timeline }
  await encodeInit(job, rendition)
  let bytes = 0
  const [from, to] = [timeline.segmentCount - 1, timeline.segmentCount]
  await encodeSegments(job, [rendition], { from, to }, (_, _part, segment) => (bytes += segment.length))
  return bytes
}

/** The Info element of a WebM file: RFC 9559, section 5.1.2. The first byte of its size begins with as many zero bits as bytes follow (RFC 8794, section 4). */
function infoOf(bytes: Buffer): Buffer {
  // the first one is the reference of the SeekHead
  const at = bytes.lastIndexOf(Buffer.from([0x15, 0x49, 0xa9, 0x66])) + 4
  const length = Math.clz32(bytes[at] ?? 0) - 23
  const [first = 0, ...others] = bytes.subarray(at, at + length)
  const size = others.reduce((sum, byte) => 256 * sum + byte, first - 2 ** (8 - length))
  expect(size).toBeLessThan(500)
  return bytes.subarray(at + length, at + length + size)
}

test('the recording of Firefox has neither duration nor cues', async () => {
  const bytes = await readFile(await fileOf(firefox))
  const [duration, cues] = [Buffer.from([0x44, 0x89]), Buffer.from([0x1c, 0x53, 0xbb, 0x6b])]
  expect([infoOf(bytes).includes(duration), bytes.includes(cues)]).toEqual([false, false])
})

test.each(recordings)('%s has its whole length, and plays from its end', async (name) => {
  const file = await fileOf(name)
  const source = await probe(tools, file)
  expect(source.isBrokenOff).toBe(false)
  expect(source.durationSeconds).toBeGreaterThan(3.8)
  expect(source.durationSeconds).toBeLessThan(4.7)
  expect(source.audio).toHaveLength(1)
  expect(await encodeLast(file, source)).toBeGreaterThan(1000)
})

test.each(recordings)('%s plays as far as it was sent', async (name) => {
  const file = path.join(directory, name)
  const whole = await readFile(await fileOf(name))
  await writeFile(file, whole.subarray(0, Math.floor(whole.length * 0.7)))
  const source = await probe(tools, file)
  expect(source.isBrokenOff).toBe(true)
  expect(source.durationSeconds).toBeGreaterThan(1.9)
  expect(source.durationSeconds).toBeLessThan(4)
  expect(await encodeLast(file, source)).toBeGreaterThan(1000)
})
