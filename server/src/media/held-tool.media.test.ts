import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Clip, drawClip } from '../testing/test-clips.ts'
import { holdProbe, probe } from './probe.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string
let fifos: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-held-'))
  fifos = path.join(directory, 'fifos')
  await mkdir(fifos)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

test.each<Clip>(['mp4', 'mp4, index in front', 'webm', 'ogg'])(
  'a film that became whole after its probe had started is what it is, %s',
  async (clip) => {
    const bytes = await drawClip(clip)
    const file = path.join(directory, 'growing')
    await writeFile(file, bytes.subarray(0, 5000))
    const held = await holdProbe(tools, file, fifos)
    await expect.poll(() => readdir(fifos)).toHaveLength(1)
    await appendFile(file, bytes.subarray(5000))
    const whole = path.join(directory, 'whole')
    await writeFile(whole, bytes)
    expect(await probe(tools, file, undefined, held)).toEqual(await probe(tools, whole))
    await expect.poll(() => readdir(fifos)).toEqual([])
  },
)

test('a probe that was given up leaves nothing, and the film is looked at without it', async () => {
  const file = path.join(directory, 'film.mp4')
  await writeFile(file, await drawClip('mp4'))
  const held = await holdProbe(tools, file, fifos)
  await held?.[Symbol.asyncDispose]()
  expect(await readdir(fifos)).toEqual([])
  expect(await probe(tools, file, undefined, held)).toEqual(await probe(tools, file))
})

test('a film that breaks off is refused, whoever had begun to look at it', async () => {
  const file = path.join(directory, 'torn.mp4')
  await writeFile(file, (await drawClip('mp4')).subarray(0, 5000))
  const held = await holdProbe(tools, file, fifos)
  await expect(probe(tools, file, undefined, held)).rejects.toMatchObject({ reason: 'unreadable' })
  await expect.poll(() => readdir(fifos)).toEqual([])
})

test('for what is no film nothing is started', async () => {
  const file = path.join(directory, 'text')
  await writeFile(file, 'x'.repeat(5000))
  expect(await holdProbe(tools, file, fifos)).toBeUndefined()
})
