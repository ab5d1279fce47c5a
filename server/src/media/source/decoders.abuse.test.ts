import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probe } from '../probe/probe.ts'

const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const videoTrack = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=5:d=1']
const tone = ['-f', 'lavfi', '-i', 'sine=d=1']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-decoders-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Matroska carries every codec; with DocType webm it passes as WebM. */
async function createWebm(name: string, args: string[]): Promise<string> {
  const file = path.join(directory, `${name}.mkv`)
  await run('ffmpeg', ['-v', 'error', '-y', ...args, '-f', 'matroska', file])
  const bytes = await readFile(file)
  const at = bytes.indexOf('matroska')
  bytes.write('webm\0\0\0\0', at, 'latin1')
  await writeFile(file, bytes)
  return file
}

test.each(['ffv1', 'huffyuv', 'zmbv', 'snow', 'flv', 'msmpeg4v2', 'wmv2', 'jpeg2000', 'gif'])(
  'refuses the video codec %s by name',
  async (codec) => {
    const strict = ['-strict', 'experimental', '-c:v', codec]
    const file = await createWebm(codec, [...videoTrack, ...strict])
    await expect(probe(tools, file)).rejects.toMatchObject({
      reason: 'unsupported_codec',
      message: expect.stringContaining(`codec ${codec} is not supported`),
    })
  },
)

test('refuses PNG as a video codec, though cover images may be PNG', async () => {
  const file = await createWebm('png', [...videoTrack, '-c:v', 'png'])
  await expect(probe(tools, file)).rejects.toMatchObject({ reason: 'unsupported_codec' })
})

test.each(['wmav2', 'dca', 'tta', 'mp2'])('refuses the audio codec %s by name', async (codec) => {
  const audio = ['-strict', 'experimental', '-c:a', codec]
  const file = await createWebm(codec, [...videoTrack, ...tone, ...h264, ...audio])
  await expect(probe(tools, file)).rejects.toMatchObject({
    reason: 'unsupported_codec',
    message: expect.stringMatching(new RegExp(`codec ${codec}(float)? is not supported`)),
  })
})

test.each([
  ['mpeg4', 'libmp3lame'],
  ['mpeg2video', 'ac3'],
  ['prores', 'alac'],
  ['mjpeg', 'pcm_s16le'],
])('accepts %s with %s', async (video, audio) => {
  const codecs = ['-c:v', video, '-c:a', audio, '-strict', '-1', '-f', 'mov', '-brand', 'mp42']
  const file = path.join(directory, `${video}.mp4`)
  await run('ffmpeg', ['-v', 'error', '-y', ...videoTrack, '-r', '25', ...tone, ...codecs, file])
  expect(await probe(tools, file)).toMatchObject({ video: { codec: video } })
})
