import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Container } from '../source/container.ts'
import { type Clip, drawClip } from '../../testing/fixtures/test-clips.ts'
import { preforkProbe, probe } from '../probe/probe.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string
let directoryOfRuns: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-held-'))
  directoryOfRuns = path.join(directory, 'runs')
  await mkdir(directoryOfRuns)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

test.each<[Clip, Container]>([
  ['mp4', 'mp4'],
  ['mp4, index in front', 'mp4'],
  ['webm', 'webm'],
  ['ogg', 'ogg'],
])('a preforked probe inspects a video that is completed after its start: %s', async (clip, container) => {
  const bytes = await drawClip(clip)
  const file = path.join(directory, 'growing')
  await writeFile(file, bytes.subarray(0, 5000))
  const preforked = preforkProbe(tools, container, directoryOfRuns)
  await expect.poll(() => readdir(directoryOfRuns)).toHaveLength(1)
  await appendFile(file, bytes.subarray(5000))
  const whole = path.join(directory, 'whole')
  await writeFile(whole, bytes)
  // a second probe would fail
  const blind = { ...tools, ffprobe: '/nowhere/ffprobe' }
  expect(await probe(blind, file, undefined, preforked)).toEqual(await probe(tools, whole))
  await expect.poll(() => readdir(directoryOfRuns)).toEqual([])
})

test('a discarded preforked probe leaves no files, and the video is inspected without it', async () => {
  const file = path.join(directory, 'video.mp4')
  await writeFile(file, await drawClip('mp4'))
  const preforked = preforkProbe(tools, 'mp4', directoryOfRuns)
  await preforked.run[Symbol.asyncDispose]()
  expect(await readdir(directoryOfRuns)).toEqual([])
  expect(await probe(tools, file, undefined, preforked)).toEqual(await probe(tools, file))
})

test('refuses a truncated video with a preforked probe', async () => {
  const file = path.join(directory, 'truncated.mp4')
  await writeFile(file, (await drawClip('mp4')).subarray(0, 5000))
  const preforked = preforkProbe(tools, 'mp4', directoryOfRuns)
  await expect(probe(tools, file, undefined, preforked)).rejects.toMatchObject({ reason: 'unreadable' })
  await expect.poll(() => readdir(directoryOfRuns)).toEqual([])
})

test('ignores a preforked probe of another container', async () => {
  const file = path.join(directory, 'other')
  await writeFile(file, await drawClip('webm'))
  const preforked = preforkProbe(tools, 'mp4', directoryOfRuns)
  expect(await probe(tools, file, undefined, preforked)).toMatchObject({ container: 'webm' })
  await preforked.run[Symbol.asyncDispose]()
  expect(await readdir(directoryOfRuns)).toEqual([])
})
