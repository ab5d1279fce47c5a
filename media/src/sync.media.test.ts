import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeAudio, encodeInit, encodeSegments } from './encode/encode.ts'
import { FragmentReader, readTimescale } from './containers/mp4/fmp4.ts'
import { planPresentation } from './plan/hls.ts'
import { probe, sniffFileFormat } from './probe/probe.ts'
import { convertVideo } from './remux/convert.ts'
import { SourceRemuxer } from './remux/remux.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'

/** A flash and a beep at 1 s, from one clip in every container: passthrough, encoded video and audio agree. */
const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const SECONDS = 3
const TOLERANCE_SECONDS = 0.02
const signal = AbortSignal.timeout(300_000)
let directory: string

const at = (name: string) => path.join(directory, name)
const ffmpeg = (line: string, output: string) =>
  run('ffmpeg', ['-v', 'error', '-y', ...line.replaceAll('@', directory).split(' '), at(output)])

const picture = `-f lavfi -i testsrc2=s=64x64:r=25:d=${SECONDS},drawbox=c=white:t=fill:enable='between(t\\,0.99\\,1.11)'`
const beep = `-f lavfi -i aevalsrc=exprs='0.5*sin(2*PI*1000*t)*between(t\\,1\\,1.1)':s=48000:d=${SECONDS}`
// keyframes every second, so that what is left out of a file would be missed
const h264 =
  '-c:v libx264 -preset veryfast -pix_fmt yuv420p -x264-params scenecut=0:bframes=3:b-adapt=0:keyint=25'

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-sync-'))
  await ffmpeg(`${picture} ${beep} ${h264} -c:a aac`, 'clip.mp4')
  await ffmpeg('-i @/clip.mp4 -c:v libx264 -preset ultrafast -bf 0 -g 25 -c:a aac', 'in-order.mp4')
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const inOrder = `${picture} ${beep} -c:v libx264 -preset ultrafast -bf 0 -pix_fmt yuv420p -g 25`
const copied = '-i @/clip.mp4 -c copy'
const empty = 'empty_moov+default_base_moof'

const forms = [
  ['plain.mp4', copied],
  ['offsets-below-zero.mp4', `${copied} -movflags negative_cts_offsets`],
  ['no-edits.mp4', `${copied} -use_editlist 0`],
  ['fragmented.mp4', `${copied} -movflags frag_keyframe+${empty}`],
  [
    'offsets-below-zero-fragmented.mp4',
    `-i @/clip.mp4 -c:v copy -c:a flac -strict -2 -movflags frag_keyframe+${empty}+negative_cts_offsets`,
  ],
  ['starts-in-moov.mp4', '-i @/in-order.mp4 -c copy -movflags frag_keyframe'],
  ['starts-in-moov.mov', '-i @/in-order.mp4 -c copy -movflags frag_keyframe'],
  ['late.mp4', `${copied} -output_ts_offset 90000`],
  ['plain.mov', copied],
  ['plain.mkv', copied],
  ['late.mkv', `${copied} -output_ts_offset 90000`],
  ['epoch.mkv', `${copied} -output_ts_offset 1700000000`],
  ['plain.ts', copied],
  ['late.ts', `${copied} -output_ts_offset 80000`],
  ['vp9.webm', `-i @/clip.mp4 -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 25 -c:a libopus`],
  ['late.webm', `-i @/clip.mp4 -c:v libvpx -deadline realtime -c:a libopus -output_ts_offset 90000`],
  ['theora.ogg', `-i @/clip.mp4 -c:v libtheora -g 25 -c:a libvorbis`],
  ['dvb.ts', `-i @/clip.mp4 -c:v mpeg2video -bf 2 -g 25 -c:a mp2 -output_ts_offset 60000`],
  ['h264.avi', `${inOrder} -c:a pcm_s16le`],
  ['adpcm.avi', `${inOrder} -c:a adpcm_ms`],
  ['mpeg4.avi', `-i @/clip.mp4 -c:v mpeg4 -g 25 -c:a mp2`],
] as const
const essential = new Set<string>([
  'plain.mp4',
  'offsets-below-zero-fragmented.mp4',
  'starts-in-moov.mp4',
  'late.mkv',
  'late.ts',
  'late.webm',
  'theora.ogg',
  'mpeg4.avi',
])

for (const [name, line] of forms)
  test.concurrent(`${name} is played whole and in sync`, nightlyUnless(essential.has(name)), async () => {
    await ffmpeg(line, name)
    const times = await flashAndBeepTimes(name)
    expect(times.seconds).toBeCloseTo(SECONDS, 0)
    for (const [what, { frames, flash, beepAt }] of Object.entries(times.videos)) {
      expect(frames, `frames of ${what}`).toBeGreaterThanOrEqual(SECONDS * 25 - 2)
      expect(Math.abs(flash - beepAt), `${what}: flash at ${flash}, beep at ${beepAt}`).toBeLessThanOrEqual(
        TOLERANCE_SECONDS,
      )
    }
  })

/** Renditions by name, each with its flash and the beep. */
async function flashAndBeepTimes(name: string) {
  const uploaded = at(name)
  const format = await sniffFileFormat(uploaded)
  const isConverted = format === 'avi' || format === 'ts'
  const file = isConverted ? `${uploaded}.converted.mp4` : uploaded
  if (isConverted) await convertVideo({ tools, format, path: uploaded, target: file, signal })
  const source = await probe(tools, file)
  const { timeline, renditions, passthrough, audio } = planPresentation(source)
  const job = { tools, source, timeline, path: file }
  const all = { from: 0, to: timeline.segmentCount }
  const videos: Record<string, Awaited<ReturnType<typeof flashOf>> & { beepAt: number }> = {}
  const remuxer = new SourceRemuxer(file, timeline)
  try {
    const plan = audio[0]
    if (!plan) throw new Error('no audio')
    const sounds: Buffer[] = []
    if (plan.isCopied) {
      sounds.push(await remuxer.audioInit(plan))
      for (let index = 0; index < plan.segmentCount; index++)
        sounds.push(await remuxer.audioSegment(tools, plan, index))
    } else await encodeAudio(job, plan, { from: 0, to: plan.segmentCount }, (_, bytes) => sounds.push(bytes))
    const beepAt = await beepOf(`${uploaded}-audio.mp4`, sounds)
    const rendition = renditions[0]
    if (!rendition) throw new Error('no rendition')
    const encoded = [await encodeInit(job, rendition)]
    await encodeSegments(job, [rendition], all, (_, __, bytes) => encoded.push(bytes))
    videos['encoded'] = { ...(await flashOf(`${uploaded}-encoded.mp4`, encoded)), beepAt }
    if (passthrough) {
      const parts = [await remuxer.videoInit()]
      for (const index of passthrough.cutsMicros.keys())
        parts.push(await remuxer.videoSegment(passthrough, index))
      videos['passthrough'] = { ...(await flashOf(`${uploaded}-passthrough.mp4`, parts)), beepAt }
    }
  } finally {
    remuxer.close()
  }
  return { seconds: source.durationSeconds, videos }
}

async function decode(file: string, parts: Buffer[], args: string): Promise<Buffer> {
  await writeFile(file, Buffer.concat(parts))
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, ...args.split(' '), '-'], {
    encoding: 'buffer',
    maxBuffer: 2 ** 26,
  })
  return stdout
}

/** Number of frames, and when the first white one is shown: by the times of the file, not by those of a demuxer. */
async function flashOf(file: string, parts: Buffer[]): Promise<{ frames: number; flash: number }> {
  const pixels = await decode(file, parts, '-fps_mode passthrough -vf scale=1:1 -pix_fmt gray -f rawvideo')
  const times: number[] = []
  const reader = new FragmentReader(({ samples }) => times.push(...samples.map(({ pts }) => pts)))
  for (const part of parts) reader.push(part)
  const shown = times.toSorted((a, b) => a - b)
  return {
    frames: pixels.length,
    flash: (shown[pixels.findIndex((grey) => grey > 220)] ?? Number.NaN) / readTimescale(reader.init),
  }
}

async function beepOf(file: string, parts: Buffer[]): Promise<number> {
  const bytes = await decode(
    file,
    parts,
    '-af aresample=8000:async=1:min_hard_comp=0.005:first_pts=0 -ac 1 -f s16le',
  )
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)
  return samples.findIndex((value) => Math.abs(value) > 3000) / 8000
}
