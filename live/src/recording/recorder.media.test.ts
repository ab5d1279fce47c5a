import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FragmentReader, readTimescale } from '@kinora/media/containers/mp4/fmp4.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { encodeGroup, encodeGroupInit } from '@kinora/media/encode/encode-group.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { createLog } from '@kinora/platform/log.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { expect, test } from 'vitest'
import { listenForEncoders } from '../rtmp/server.ts'
import { type Part, Recorder } from './recorder.ts'
import { AUDIO_TRACK, initOfTrack, VIDEO_TRACK } from './tracks.ts'

const run = promisify(execFile)
const tools = toolsOf({ ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe' })

/** Streams what ffmpeg makes of its arguments, and returns the recording. */
async function stream(args: string[]) {
  const file = join(temporaryDirectory(), 'recording.mp4')
  const parts: Part[] = []
  let init: Buffer = Buffer.alloc(0)
  const recorder = new Recorder({
    maxBitsPerSecond: 1e9,
    onBegin: async (beginning) => {
      init = beginning.init
      await writeFile(file, init)
    },
    onPart: async (part) => {
      parts.push(part)
      await appendFile(file, Buffer.concat([part.video, part.audio ?? Buffer.alloc(0)]))
    },
  })
  const ended = Promise.withResolvers<string>()
  const server = await listenForEncoders(
    { host: '127.0.0.1', port: 0 },
    async () => ({
      signal: new AbortController().signal,
      receive: (message) => recorder.receive(message),
      close: async (reason) => {
        await recorder.finish()
        ended.resolve(reason)
      },
    }),
    createLog('silent', 'test'),
  )
  const address = `rtmp://127.0.0.1:${server.port}/live/key`
  const encoder = spawn('ffmpeg', ['-v', 'error', ...args, '-f', 'flv', address])
  await once(encoder, 'close')
  const reason = await ended.promise
  await server.close()
  return { file, parts, reason, init, recorder }
}

const frameCount = async (file: string, track: string) => {
  const args = [
    '-v',
    'error',
    '-count_frames',
    '-select_streams',
    track,
    '-show_entries',
    'stream=nb_read_frames',
  ]
  const { stdout } = await run('ffprobe', [...args, '-of', 'csv=p=0', file])
  return Number(stdout.trim())
}

const inputs = [
  '-f',
  'lavfi',
  '-i',
  'testsrc2=size=320x240:rate=25',
  '-f',
  'lavfi',
  '-i',
  'sine=r=48000',
  '-t',
  '8',
]
const h264 = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '50',
  '-keyint_min',
  '50',
]

test('records what an encoder with B-frames sends, frame by frame', async () => {
  const { file, parts, reason, init } = await stream([
    ...inputs,
    ...h264,
    '-bf',
    '2',
    '-c:a',
    'aac',
    '-ac',
    '2',
  ])
  expect(reason).toBe('stopped')
  expect(parts.length).toBe(4)
  expect(await frameCount(file, 'v:0')).toBe(200)
  expect(await frameCount(file, 'a:0')).toBeGreaterThan(370)
  const { stderr } = await run('ffmpeg', ['-v', 'warning', '-i', file, '-f', 'null', '-'])
  expect(stderr).toBe('')
  const source = await probe(tools, file, AbortSignal.timeout(20_000))
  expect(source.durationSeconds).toBeCloseTo(8, 0)
  const { passthrough, audio } = planPresentation(source)
  expect(passthrough?.cutsMicros).toHaveLength(2)
  expect(audio.find(({ isLowBitrate }) => !isLowBitrate)).toMatchObject({ isCopied: true })

  // each part is a segment by itself
  const segment = join(temporaryDirectory(), 'segment.mp4')
  const [, second] = parts
  if (!second?.audio) throw new Error('no second part')
  await writeFile(segment, Buffer.concat([initOfTrack(init, VIDEO_TRACK), second.video]))
  expect(await frameCount(segment, 'v:0')).toBe(50)
  await writeFile(segment, Buffer.concat([initOfTrack(init, AUDIO_TRACK), second.audio]))
  expect(await frameCount(segment, 'a:0')).toBeGreaterThan(80)
})

/** When the frames of fragments are shown, in seconds. */
function frameTimes(init: Buffer, fragments: Buffer[]): number[] {
  const times: number[] = []
  const timescale = readTimescale(init)
  const reader = new FragmentReader(({ samples }) => times.push(...samples.map(({ pts }) => pts / timescale)))
  for (const bytes of [init, ...fragments]) reader.push(bytes)
  return times.toSorted((x, y) => x - y)
}

test('each part is encoded for a rendition, with the times of its frames', async () => {
  const { file, parts, init } = await stream([...inputs, ...h264, '-bf', '2', '-c:a', 'aac', '-ac', '2'])
  const source = await probe(tools, file, AbortSignal.timeout(20_000))
  const [rendition] = planPresentation(source).renditions
  if (!rendition) throw new Error('no rendition')
  const directory = temporaryDirectory()
  const encodedInit = await encodeGroupInit({ tools, source }, rendition)
  const segments: Buffer[] = []
  for (const { index, video, startSeconds, endSeconds } of parts) {
    const path = join(directory, `${index}.mp4`)
    await writeFile(path, Buffer.concat([initOfTrack(init, VIDEO_TRACK), video]))
    const group = { fromSeconds: startSeconds, toSeconds: endSeconds }
    segments.push(await encodeGroup({ tools, source, path }, rendition, group))
  }
  const original = frameTimes(
    initOfTrack(init, VIDEO_TRACK),
    parts.map(({ video }) => video),
  )
  const encoded = frameTimes(encodedInit, segments)
  expect(encoded).toHaveLength(original.length)
  encoded.forEach((seconds, i) => expect(seconds).toBeCloseTo(original[i] ?? 0, 2))
  const joined = join(directory, 'joined.mp4')
  await writeFile(joined, Buffer.concat([encodedInit, ...segments]))
  expect(await frameCount(joined, 'v:0')).toBe(original.length)
})

test('records 4K at 60 frames a second', nightlyUnless(false), async () => {
  const input = '-f lavfi -i color=s=3840x2160:r=60 -f lavfi -i sine=r=48000 -t 1.2'.split(' ')
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 60 -c:a aac -ac 2'.split(' ')
  const { file, parts, recorder } = await stream([...input, ...codecs])
  expect(parts.length).toBe(2)
  expect(recorder.health).toMatchObject({ width: 3840, height: 2160 })
  expect(recorder.health.framesPerSecond).toBeCloseTo(60, -1)
  const source = await probe(tools, file, AbortSignal.timeout(20_000))
  expect(planPresentation(source).passthrough).toMatchObject({ width: 3840, height: 2160 })
})

test.each([
  ['MP3', [...h264, '-c:a', 'mp3', '-ar', '44100'], 'unsupported_audio'],
  ['another video codec', ['-c:v', 'flv1', '-c:a', 'aac'], 'unsupported_video'],
  ['4:4:4', ['-c:v', 'libx264', '-pix_fmt', 'yuv444p', '-c:a', 'aac'], 'not_playable'],
])('refuses %s', async (_, args, reason) => {
  expect((await stream([...inputs, ...args])).reason).toBe(reason)
})
