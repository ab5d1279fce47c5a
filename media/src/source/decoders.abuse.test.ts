import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probe } from '../probe/probe.ts'
import { convertAudio, convertVideo } from '../remux/convert.ts'

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

test.each(['wmav2', 'dca', 'tta', 'truehd'])('refuses the audio codec %s by name', async (codec) => {
  const audio = ['-strict', 'experimental', '-c:a', codec]
  const file = await createWebm(codec, [...videoTrack, ...tone, ...h264, ...audio])
  await expect(probe(tools, file)).rejects.toMatchObject({
    reason: 'unsupported_codec',
    message: expect.stringMatching(new RegExp(`codec ${codec} is not supported`)),
  })
})

test.each([
  ['mpeg4', 'libmp3lame'],
  ['mpeg2video', 'ac3'],
  ['mpeg1video', 'mp2'],
  ['prores', 'alac'],
  ['mjpeg', 'pcm_s16le'],
])('accepts %s with %s', async (video, audio) => {
  const codecs = ['-c:v', video, '-c:a', audio, '-strict', '-1', '-f', 'mov', '-brand', 'mp42']
  const file = path.join(directory, `${video}.mp4`)
  await run('ffmpeg', ['-v', 'error', '-y', ...videoTrack, '-r', '25', ...tone, ...codecs, file])
  expect(await probe(tools, file)).toMatchObject({ video: { codec: video } })
})

test.each([
  ['video', 'wmv2', ['-c:v', 'wmv2', '-c:a', 'pcm_s16le']],
  ['video', 'huffyuv', ['-c:v', 'huffyuv', '-c:a', 'adpcm_ms']],
  [
    'video',
    'dvvideo',
    ['-s', '720x576', '-r', '25', '-pix_fmt', 'yuv420p', '-c:v', 'dvvideo', '-c:a', 'pcm_s16le'],
  ],
  ['audio', 'wmav2', ['-c:v', 'mpeg4', '-c:a', 'wmav2']],
])('refuses to convert an AVI with the %s codec %s by name', async (_, codec, codecs) => {
  const file = path.join(directory, `${codec}.avi`)
  await run('ffmpeg', ['-v', 'error', '-y', ...videoTrack, ...tone, '-r', '25', ...codecs, file])
  const conversion = {
    tools,
    format: 'avi' as const,
    path: file,
    target: `${file}.mp4`,
    signal: AbortSignal.timeout(300_000),
  }
  await expect(convertVideo(conversion)).rejects.toMatchObject({
    reason: 'unsupported_codec',
    message: expect.stringContaining(`codec ${codec} is not supported`),
  })
})

test('refuses a video codec that ffprobe does not know by its name in the container', async () => {
  const file = path.join(directory, 'vvc.mp4')
  await run('ffmpeg', ['-v', 'error', '-y', ...videoTrack, ...h264, file])
  const bytes = await readFile(file)
  bytes.write('vvc1', bytes.indexOf('avc1', bytes.indexOf('stsd')), 'latin1')
  await writeFile(file, bytes)
  await expect(probe(tools, file)).rejects.toMatchObject({
    reason: 'unsupported_codec',
    message: expect.stringContaining('codec vvc1 is not supported'),
  })
})

test.each(['ac3', 'mp2'])('plays a file of only %s audio', async (codec) => {
  const file = path.join(directory, `${codec}-only.mp4`)
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...tone,
    '-ac',
    '2',
    '-c:a',
    codec,
    '-f',
    'mov',
    '-brand',
    'mp42',
    file,
  ])
  const target = `${file}.converted.mp4`
  await convertAudio({ tools, format: 'mp4', path: file, target, signal: AbortSignal.timeout(300_000) })
  expect((await probe(tools, target)).durationSeconds).toBeCloseTo(1, 0)
})
