import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeInit, encodeSegments } from './encode/encode.ts'
import { planPresentation } from './plan/hls.ts'
import { probe } from './probe/probe.ts'
import type { SourceInfo } from './source/source-info.ts'

/**
 * Recordings of four seconds by Chromium 156: by `MediaRecorder`, whose WebM has no duration, no cues and clusters of unknown size,
 * and by WebCodecs, as fragmented MP4 with Opus. A recording whose tab was closed ends anywhere.
 */
const recordings = ['media-recorder.webm', 'media-recorder.mp4', 'web-codecs.mp4']
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-recordings-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const fileOf = (name: string) => path.join(import.meta.dirname, 'testing/recordings', name)

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

test.each(recordings)('%s has its whole length, and plays from its end', async (name) => {
  const source = await probe(tools, fileOf(name))
  expect(source.isBrokenOff).toBe(false)
  expect(source.durationSeconds).toBeGreaterThan(3.8)
  expect(source.durationSeconds).toBeLessThan(4.7)
  expect(source.audio).toHaveLength(1)
  expect(await encodeLast(fileOf(name), source)).toBeGreaterThan(1000)
})

test.each(recordings)('%s plays as far as it was sent', async (name) => {
  const file = path.join(directory, name)
  const whole = await readFile(fileOf(name))
  await writeFile(file, whole.subarray(0, Math.floor(whole.length * 0.7)))
  const source = await probe(tools, file)
  expect(source.isBrokenOff).toBe(true)
  expect(source.durationSeconds).toBeGreaterThan(1.9)
  expect(source.durationSeconds).toBeLessThan(4)
  expect(await encodeLast(file, source)).toBeGreaterThan(1000)
})
