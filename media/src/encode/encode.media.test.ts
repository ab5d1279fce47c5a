import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeAudio, encodeInit, encodeSegments } from './encode.ts'
import { planPresentation } from '../plan/hls.ts'
import { probe } from '../probe/probe.ts'
import { SourceRemuxer } from '../remux/remux.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'

const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-media-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const at = (name: string) => path.join(directory, name)
const x264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 50'

const slides = 'testsrc2=s=320x240:r=25:d=24'

/** Encodes a clip in which every frame differs. */
async function clip(name: string, args: string, video = 'testsrc2=s=320x240:r=25:d=9'): Promise<string> {
  const inputs = ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', 'sine=f=440:d=9:r=48000']
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, ...args.split(' '), at(name)])
  return at(name)
}

/** Presentation times of all frames, sorted, from 0. */
async function frameTimes(file: string): Promise<number[]> {
  const { stdout } = await run(
    'ffprobe',
    ['-v', 'error', '-select_streams', 'V:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', file],
    { maxBuffer: 2 ** 24 },
  )
  const times = stdout
    .split('\n')
    .filter(Boolean)
    .map(Number.parseFloat)
    .toSorted((a, b) => a - b)
  return times.map((time) => time - (times[0] ?? 0))
}

/** PSNR of two videos in decibels, frame by frame in presentation order. */
async function likenesses(a: string, b: string): Promise<number[]> {
  const graph =
    '[0:v]scale=320:240,settb=1/25,setpts=N[a];[1:v]scale=320:240,settb=1/25,setpts=N[b];[a][b]psnr=stats_file=-'
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', a, '-i', b, '-lavfi', graph, '-f', 'null', '-'],
    {
      maxBuffer: 2 ** 24,
    },
  )
  return [...stdout.matchAll(/psnr_avg:(\S+)/g)].map(([, value]) =>
    Number.parseFloat(value === 'inf' ? '99' : (value ?? '0')),
  )
}

const worstLikeness = async (a: string, b: string) => Math.min(...(await likenesses(a, b)))

type Order = 'one by one' | 'in one run' | 'every other one again'

async function joinSegments(file: string, order: Order): Promise<string> {
  const source = await probe(tools, file)
  const { timeline, renditions } = planPresentation(source)
  const rendition = renditions.at(-1)
  if (!rendition) throw new Error('no rendition')
  const job = { tools, source, timeline, path: file }
  const segments: Buffer[] = []
  const keep = (_: unknown, index: number, bytes: Buffer) => (segments[index] = bytes)
  if (order !== 'one by one') {
    await encodeSegments(job, [rendition], { from: 0, to: timeline.segmentCount }, keep)
  }
  if (order !== 'in one run') {
    const step = order === 'one by one' ? 1 : 2
    for (let index = timeline.segmentCount - 1; index >= 0; index -= step) {
      await encodeSegments(job, [rendition], { from: index, to: index + 1 }, keep)
    }
  }
  expect(Object.keys(segments)).toHaveLength(timeline.segmentCount)
  const joined = at(`${path.basename(file)}-${order.replaceAll(' ', '-')}.mp4`)
  await writeFile(joined, Buffer.concat([await encodeInit(job, rendition), ...segments]))
  return joined
}

test('segments of one run join like segments of single runs', async () => {
  const file = await clip('run.mp4', `${x264} -an`)
  const joined = await joinSegments(file, 'in one run')
  const single = await joinSegments(file, 'one by one')
  expect(await frameTimes(joined)).toEqual(await frameTimes(single))
  expect(await worstLikeness(file, joined)).toBeGreaterThan(25)
  // like a cache in which every other segment was evicted and encoded again
  const mixed = await joinSegments(file, 'every other one again')
  expect((await readFile(mixed)).equals(await readFile(joined))).toBe(false)
  expect(await frameTimes(mixed)).toEqual(await frameTimes(single))
  expect(await worstLikeness(file, mixed)).toBeGreaterThan(25)
})

/** A shaking pan over a texture. */
const pan =
  'color=gray:s=96x64:r=25:d=9,noise=c0s=60:c0_seed=3,trim=end_frame=1,loop=-1:1,setpts=N/25/TB,trim=end=9,' +
  'scale=480:320:flags=bicubic,crop=320:240:80+75*sin(t*1.8):40+12*sin(t*9)'

test('quality does not jump where segments of a run join', async () => {
  const file = await clip('pan.mp4', `${x264} -preset ultrafast -crf 8 -an`, pan)
  const frames = await likenesses(file, await joinSegments(file, 'in one run'))
  const mean = (from: number) => frames.slice(from, from + 4).reduce((sum, each) => sum + each, 0) / 4
  const step = (border: number) => Math.abs(mean(border) - mean(border - 4))
  const inside = Array.from({ length: 80 }, (_, index) => step(10 + index))
  expect(step(100)).toBeLessThan(Math.max(...inside))
  expect(step(200)).toBeLessThan(Math.max(...inside))
})

test('keeps every frame of a video whose size changes', { tags: ['nightly'] }, async () => {
  const vp8 = '-c:v libvpx -deadline realtime -cpu-used 8 -an'
  await clip('large.webm', vp8, 'testsrc2=s=320x240:r=25:d=2')
  await clip('small.webm', vp8, 'testsrc2=s=160x160:r=25:d=4')
  await writeFile(at('sizes.txt'), "file 'large.webm'\nfile 'small.webm'\n")
  const file = at('sizes.webm')
  const list = ['-f', 'concat', '-safe', '0', '-i', at('sizes.txt')]
  await run('ffmpeg', ['-v', 'error', '-y', ...list, '-c', 'copy', file])
  const joined = await joinSegments(file, 'one by one')
  expect(await frameTimes(joined)).toHaveLength(150)
  const { stdout } = await run(
    'ffprobe',
    '-v error -select_streams V:0 -show_entries frame=width,height -of csv=p=0'.split(' ').concat(joined),
  )
  expect(new Set(stdout.match(/^\d+,\d+/gm))).toEqual(new Set(['320,240']))
})

for (const order of ['one by one', 'in one run'] as const)
  test(`a still image keeps its quality: ${order}`, nightlyUnless(order === 'in one run'), async () => {
    const shown = "select='lt(mod(t,10),0.25)'"
    const file = await clip('slides.mp4', `-vf ${shown} -fps_mode vfr ${x264} -crf 10 -an`, slides)
    const joined = await joinSegments(file, order)
    const { stdout } = await run('ffprobe', [
      ...'-v error -select_streams V:0 -show_entries packet=pts_time,flags -of csv=p=0'.split(' '),
      joined,
    ])
    const packets = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const frames = packets.toSorted(([a], [b]) => Number(a) - Number(b))
    const first = Number(frames[0]?.[0])
    const keyTimes = frames.filter(([, flags]) => flags?.startsWith('K')).map(([time]) => Number(time))
    expect(keyTimes.every((time, i) => i === 0 || time - (keyTimes[i - 1] ?? 0) > 3)).toBe(true)
    // PSNR of all frames that are shown for longer than a second
    const still = frames.flatMap(([time], i) =>
      Number(frames[i + 1]?.[0] ?? 24) - Number(time) > 1 ? [{ number: i, at: Number(time) }] : [],
    )
    expect(still.length).toBeGreaterThan(5)
    const times = await frameTimes(file)
    for (const { number, at: time } of still) {
      const origin = times.findLastIndex((own) => own < time - first + 0.01)
      const graph = `[0:v]select='eq(n,${number})',scale=320:240[a];[1:v]select='eq(n,${origin})',scale=320:240[b];[a]settb=1/25,setpts=N[c];[b]settb=1/25,setpts=N[d];[c][d]psnr`
      const { stderr } = await run('ffmpeg', ['-i', joined, '-i', file, '-lavfi', graph, '-f', 'null', '-'])
      expect(Number(/average:([\d.]+)/.exec(stderr)?.[1]), `${time}`).toBeGreaterThan(40)
    }
  })

test('remuxing keeps the coded frames unchanged', async () => {
  const file = await clip('copy.mp4', `${x264} -c:a aac`)
  const source = await probe(tools, file)
  const { timeline, passthrough, audio } = planPresentation(source)
  if (!passthrough || !audio[0]?.isCopied) throw new Error('must be copied')
  const remuxer = new SourceRemuxer(file, timeline)
  const video = [await remuxer.videoInit()]
  for (const index of passthrough.cutsMicros.keys())
    video.push(await remuxer.videoSegment(passthrough, index))
  const audioTrack = [await remuxer.audioInit(audio[0])]
  for (let index = 0; index < audio[0].segmentCount; index++)
    audioTrack.push(await remuxer.audioSegment(tools, audio[0], index))
  const bytesOf = (segments: Buffer[]) => segments.slice(1).map(({ length }) => length)
  // the sizes are computed without reading the frames, with the most that is stated for each of them
  const excess = (stated: number[], written: number[]) => stated.map((size, i) => size - (written[i] ?? 0))
  for (const bytes of excess(await remuxer.videoSizes(passthrough), bytesOf(video)))
    expect(bytes).within(0, 12 * 100)
  for (const bytes of excess(await remuxer.audioSizes(audio[0]), bytesOf(audioTrack)))
    expect(bytes).within(0, 12 * 190)
  remuxer.close()
  await writeFile(at('picture.mp4'), Buffer.concat(video))
  await writeFile(at('sound.mp4'), Buffer.concat(audioTrack))
  const hashes = async (name: string) => {
    const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', name, '-map', '0:v', '-f', 'framemd5', '-'])
    return [...stdout.matchAll(/[0-9a-f]{32}/g)].map(String)
  }
  expect(await hashes(at('picture.mp4'))).toEqual(await hashes(file))
  expect(await frameTimes(at('picture.mp4'))).toHaveLength(225)
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name,duration',
    '-of',
    'csv=p=0',
    at('sound.mp4'),
  ])
  expect(stdout.trim()).toBe('aac,9.000000')
})

for (const codec of ['libopus', 'libvorbis'])
  test(
    `audio encoded in runs has no click at the joins: ${codec}`,
    nightlyUnless(codec === 'libopus'),
    async () => {
      const file = await clip(
        'sound.webm',
        `-c:v libvpx -deadline realtime -cpu-used 8 -c:a ${codec}`,
        'color=s=64x64:r=25:d=9',
      )
      const source = await probe(tools, file)
      const { timeline, audio } = planPresentation(source)
      const plan = audio[0]
      if (!plan) throw new Error('no audio')
      const job = { tools, source, timeline, path: file }
      const parts: Buffer[] = []
      let init = Buffer.alloc(0)
      for (let index = 0; index < plan.segmentCount; index++) {
        await encodeAudio(job, plan, { from: index, to: index + 1 }, (part, bytes) => {
          if (part === 'init') init = Buffer.from(bytes)
          else parts.push(bytes)
        })
      }
      expect(parts).toHaveLength(3)
      await writeFile(at('pieces.mp4'), Buffer.concat([init, ...parts]))
      // A click contains all frequencies, so it remains when the tone is filtered out.
      const { stdout } = await run(
        'ffmpeg',
        [
          '-v',
          'error',
          '-i',
          at('pieces.mp4'),
          '-af',
          'highpass=f=4000:p=2,atrim=0.2:8.8',
          '-f',
          's16le',
          '-ac',
          '1',
          '-',
        ],
        { encoding: 'buffer', maxBuffer: 2 ** 24 },
      )
      const samples = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length / 2)
      const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      expect(loudest).toBeLessThan(200)
    },
  )

for (const rate of [44_100, 48_000])
  test(
    `copied and encoded audio of ${rate} Hz join within half a frame`,
    nightlyUnless(rate === 44_100),
    async () => {
      const file = await clip(`${rate}.mp4`, `${x264} -c:a aac -ar ${rate}`, 'color=s=64x64:r=30000/1001:d=9')
      const source = await probe(tools, file)
      const { timeline, audio } = planPresentation(source)
      const [copied] = audio
      if (!copied?.isCopied) throw new Error('must be copied')
      const encoded = { ...copied, isCopied: false }
      const remuxer = new SourceRemuxer(file, timeline)
      const parts = [await remuxer.audioInit(copied)]
      for (let index = 0; index < copied.segmentCount; index++) {
        if (index % 2 === 0) parts.push(await remuxer.audioSegment(tools, copied, index))
        else
          await encodeAudio(
            { tools, source, timeline, path: file },
            encoded,
            { from: index, to: index + 1 },
            (part, bytes) => {
              if (part === index) parts.push(bytes)
            },
          )
      }
      remuxer.close()
      await writeFile(at('mixed.mp4'), Buffer.concat(parts))
      const { stdout } = await run(
        'ffprobe',
        '-v error -show_entries packet=pts_time -of csv=p=0'.split(' ').concat(at('mixed.mp4')),
      )
      const times = stdout.trim().split('\n').map(Number.parseFloat)
      expect(times.length).toBeGreaterThan((8.8 * rate) / 1024)
      for (const [frame, time] of times.entries()) {
        const before = times[frame - 1] ?? time - 1024 / rate
        expect(Math.abs(time - before - 1024 / rate), `${time}`).toBeLessThan(513 / rate)
      }
    },
  )
