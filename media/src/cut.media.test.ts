import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FragmentReader, readTimescale, type Sample, writeSegment } from './containers/mp4/fmp4.ts'
import {
  encodeAudio,
  encodeAudioBorder,
  encodeInit,
  encodeSegments,
  encodeVideoBorder,
} from './encode/encode.ts'
import { CUT_SOURCE_NAME, type CutPart, cutParts, type KeptRange, snapRanges } from './plan/cut.ts'
import { audioName, planPresentation } from './plan/hls.ts'
import { planCutRendition, type Rendition } from './plan/renditions.ts'
import { AAC_FRAME_SAMPLES, type AudioPlan } from './plan/timeline.ts'
import { probe } from './probe/probe.ts'
import { SourceRemuxer } from './remux/remux.ts'
import { drawFile } from './testing/draw-file.ts'
import { toneStarts } from './testing/tone-starts.ts'

/** Random cuts of several sources, compared with the frames that ffmpeg decodes of the whole source. */
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const SECONDS = 24
const LONG_SECONDS = 160
/** Sides of the thumbnails that are compared. */
const SIDE = 8
const SYNC_SECONDS = 0.02

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-cut-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** A flash and a beep in every 13th frame, over moving pictures. */
const flash = `drawbox=c=white:t=fill:enable='lt(mod(n\\,13)\\,2)'`
const source = (rate: number, { filters = '', seconds = SECONDS } = {}) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=64x64:r=25:d=${seconds},${flash}${filters}`,
  '-f',
  'lavfi',
  '-i',
  beeps(tones[0], rate, seconds),
]
/** Frequencies of the beeps of the audio tracks. */
const tones = [1000, 2500] as const
const beeps = (hertz: number, rate: number, seconds: number) =>
  `aevalsrc=exprs='0.5*sin(2*PI*${hertz}*t)*lt(mod(t\\,0.52)\\,0.08)':s=${rate}:d=${seconds}`
const h264 =
  '-c:v libx264 -preset veryfast -pix_fmt yuv420p -x264-params bframes=3:b-adapt=0:keyint=60'.split(' ')
const uneven = `,select='gt(mod(n\\,7)\\,1)+lt(mod(n\\,13)\\,2)'`
const secondTrack = (seconds = SECONDS) => ['-f', 'lavfi', '-i', beeps(tones[1], 48_000, seconds)]
const twoTracks =
  '-map 0:v -map 1:a -map 2:a -metadata:s:a:0 language=eng -metadata:s:a:1 language=fra'.split(' ')
const sources = {
  'B-frames and 44.1 kHz': ['mp4', [...source(44_100), ...h264, '-c:a', 'aac']],
  'B-frames and 48 kHz': ['mp4', [...source(48_000), ...h264, '-c:a', 'aac']],
  'uneven frames and two audio tracks': [
    'mp4',
    [
      ...source(48_000, { filters: uneven }),
      ...secondTrack(),
      ...h264,
      '-fps_mode',
      'vfr',
      '-c:a',
      'aac',
      ...twoTracks,
    ],
  ],
  'VP9 and Opus': [
    'webm',
    [...source(48_000), ...'-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 60 -c:a libopus'.split(' ')],
  ],
  'many ranges': ['mp4', [...source(44_100, { seconds: LONG_SECONDS }), ...h264, '-c:a', 'aac']],
  'many ranges, uneven frames and two audio tracks': [
    'mp4',
    [
      ...source(48_000, { filters: uneven, seconds: LONG_SECONDS }),
      ...secondTrack(LONG_SECONDS),
      ...h264,
      '-fps_mode',
      'vfr',
      '-c:a',
      'aac',
      ...twoTracks,
    ],
  ],
} as const

const seed = Number(process.env['PROPERTY_SEED'] ?? 1)

/** Numbers from 0 to 1, the same in each run. */
function randomNumbers(start: number): () => number {
  let state = start * 2_654_435_761 + 12_345
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Up to `count` ranges of a source. */
function randomRanges(count: number, start: number, seconds: number): KeptRange[] {
  const random = randomNumbers(start)
  const times = Array.from({ length: 2 * count }, () => random() * seconds).toSorted((a, b) => a - b)
  return Array.from({ length: count }, (_, i) => ({
    startSeconds: times[2 * i] ?? 0,
    endSeconds: times[2 * i + 1] ?? 0,
  })).filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds > 0.1)
}

const run = (args: string[], input?: Buffer) =>
  new Promise<Buffer>((resolve, reject) => {
    const child = execFile(
      'ffmpeg',
      ['-v', 'error', ...args],
      { encoding: 'buffer', maxBuffer: 2 ** 30 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    )
    child.stdin?.end(input)
  })

interface Picture {
  seconds: number
  pixels: Buffer
}

async function open(name: keyof typeof sources) {
  const [extension, args] = sources[name]
  const file = path.join(directory, `${name}.${extension}`)
  await writeFile(file, await drawFile(args, extension))
  const info = await probe(tools, file)
  const presentation = planPresentation(info)
  const { timeline } = presentation
  const job = { tools, source: info, timeline, path: file }
  const remuxer = new SourceRemuxer(file, timeline)
  return { file, info, presentation, timeline, job, remuxer }
}
type Opened = Awaited<ReturnType<typeof open>>

/** Bytes of a part of a video track with its init segment. */
async function videoPart(
  { presentation, job, remuxer, info, timeline }: Opened,
  rendition: Rendition | undefined,
  part: CutPart,
): Promise<Buffer[]> {
  const { passthrough } = presentation
  const bytes: Buffer[] = []
  if (part.kind === 'segment') {
    if (!rendition) {
      if (!passthrough) throw new Error('no passthrough rendition')
      return [await remuxer.videoInit(), await remuxer.videoSegment(passthrough, part.index)]
    }
    const range = { from: part.index, to: part.index + 1 }
    await encodeSegments(job, [rendition], range, (_, __, segment) => bytes.push(segment))
    return [await encodeInit(job, rendition), ...bytes]
  }
  if (!('fromSeconds' in part.border)) throw new Error('no border of video')
  const own =
    rendition ?? (passthrough ? planCutRendition(info, timeline, passthrough, CUT_SOURCE_NAME) : undefined)
  if (!own) throw new Error('no rendition')
  await encodeVideoBorder(job, [own], part.border, (_, segment) => bytes.push(segment))
  return [await encodeInit(job, own), ...bytes]
}

function samplesOf(parts: readonly Buffer[]): { samples: Sample[]; timescale: number } {
  const samples: Sample[] = []
  const reader = new FragmentReader((fragment) => samples.push(...fragment.samples))
  for (const part of parts) reader.push(part)
  return { samples, timescale: readTimescale(parts[0] ?? Buffer.alloc(0)) }
}

/** Decoded pictures of a part, in order, with their presentation times. */
async function decodeVideo(parts: Buffer[]): Promise<Picture[]> {
  const { samples, timescale } = samplesOf(parts)
  const times = samples.map(({ pts }) => pts / timescale).toSorted((a, b) => a - b)
  const filters = `scale=${SIDE}:${SIDE}:flags=area:out_range=full,format=gray`
  const raw = await run(
    ['-f', 'mov', '-i', 'pipe:0', '-vf', filters, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-'],
    Buffer.concat(parts),
  )
  const size = SIDE * SIDE
  expect(raw.length / size).toBe(times.length)
  return times.map((seconds, i) => ({ seconds, pixels: raw.subarray(i * size, (i + 1) * size) }))
}

async function decodeSource({ file, timeline }: Opened): Promise<Picture[]> {
  const filters = `scale=${SIDE}:${SIDE}:flags=area:out_range=full,format=gray`
  const args = [
    '-copyts',
    '-i',
    file,
    '-map',
    '0:v:0',
    '-vf',
    `${filters},showinfo`,
    '-fps_mode',
    'passthrough',
  ]
  const raw = await run([...args, '-f', 'rawvideo', '-'])
  const text = await run([
    ...`-copyts -i`.split(' '),
    file,
    ...'-map 0:v:0 -c:v rawvideo -fps_mode passthrough -enc_time_base 1:90000 -vf'.split(' '),
    filters,
    '-f',
    'framecrc',
    '-',
  ])
  const perSecond = Number(/#tb 0: 1\/(\d+)/.exec(text.toString())?.[1])
  const times = Array.from(
    text.toString().matchAll(/^0, *-?\d+, *(-?\d+),/gm),
    ([, pts]) => Number(pts) / perSecond,
  )
  return times.map((seconds, i) => ({
    seconds: seconds - timeline.zeroSeconds,
    pixels: raw.subarray(i * SIDE * SIDE, (i + 1) * SIDE * SIDE),
  }))
}

/** Parts of an audio track joined as a player does that ignores timestamps; decoded samples. */
async function decodeAudio(
  { presentation, job, remuxer }: Opened,
  keep: readonly KeptRange[],
  plan: AudioPlan,
): Promise<Float32Array> {
  const frames: Uint8Array[] = []
  let init = plan.isCopied ? await remuxer.audioInit(plan) : Buffer.alloc(0)
  if (!plan.isCopied)
    await encodeAudio(job, plan, { from: 0, to: 1 }, (which, each) => {
      if (which === 'init') init = each
    })
  for (const part of (cutParts(presentation, keep, audioName(plan)) ?? []).flat()) {
    const bytes: Buffer[] = []
    if (plan.isCopied) {
      if (part.kind === 'segment') bytes.push(await remuxer.audioSegment(tools, plan, part.index))
      else if ('fromFrame' in part.border) bytes.push(await remuxer.audioBorder(tools, plan, part.border))
    } else if (part.kind === 'segment') {
      await encodeAudio(job, plan, { from: part.index, to: part.index + 1 }, (which, each) => {
        if (which !== 'init') bytes.push(each)
      })
    } else if ('fromFrame' in part.border) bytes.push(await encodeAudioBorder(job, plan, part.border))
    const { samples } = samplesOf([init, ...bytes])
    expect(samples.length, `${part.kind} of ${part.seconds} s`).toBe(
      Math.round((part.seconds * plan.sampleRate) / AAC_FRAME_SAMPLES),
    )
    frames.push(...samples.map(({ data }) => data))
  }
  const samples = frames.map((data, i) => ({ pts: i * AAC_FRAME_SAMPLES, isKey: true, data }))
  const input = Buffer.concat([init, writeSegment(1, samples, frames.length * AAC_FRAME_SAMPLES)])
  const raw = await run(['-f', 'mov', '-i', 'pipe:0', '-ac', '1', '-f', 'f32le', '-'], input)
  return new Float32Array(raw.buffer, raw.byteOffset, raw.length / 4)
}

const difference = (a: Buffer, b: Buffer) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / Math.max(1, a.length)

/** Frequency of a tone over the 40 ms after it begins, by its zero crossings. */
function hertzOf(samples: Float32Array, rate: number, startSeconds: number): number {
  const part = samples.subarray(
    Math.round((startSeconds + 0.01) * rate),
    Math.round((startSeconds + 0.05) * rate),
  )
  const crossings = part.reduce(
    (sum, value, i) => sum + Number(i > 0 && value < 0 !== (part[i - 1] ?? 0) < 0),
    0,
  )
  return (crossings * rate) / Math.max(1, part.length) / 2
}

const isFlash = ({ pixels }: Picture) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length > 225

async function checkCut(
  name: keyof typeof sources,
  count: number,
  start: number,
): Promise<{ ranges: number; sharesInSync: number[] }> {
  const opened = await open(name)
  const { presentation, timeline, remuxer, info } = opened
  const keep = snapRanges(timeline, randomRanges(count, start, timeline.durationSeconds)) ?? []
  const sounds = presentation.audio.filter(({ isLowBitrate }) => !isLowBitrate)
  expect(sounds).toHaveLength(info.audio.length)
  const whole = await decodeSource(opened)
  const tracks = [
    ...(presentation.passthrough?.codecs.startsWith('avc1') ? [['source', undefined] as const] : []),
    ...presentation.renditions.map((rendition) => [rendition.name, rendition] as const),
  ]
  const flashes: number[] = []
  for (const [track, rendition] of tracks) {
    flashes.length = 0
    let before = 0
    for (const [index, parts] of (cutParts(presentation, keep, track) ?? []).entries()) {
      const { startSeconds, endSeconds } = keep[index] ?? { startSeconds: 0, endSeconds: 0 }
      const pictures: Picture[] = []
      for (const part of parts)
        pictures.push(...(await decodeVideo(await videoPart(opened, rendition, part))))
      const length = parts.reduce((sum, { seconds }) => sum + seconds, 0)
      expect(length).toBeCloseTo(endSeconds - startSeconds, 4)
      const half = 0.5 / (timeline.frameRate.num / timeline.frameRate.den)
      const expected = whole.filter(
        ({ seconds }) => seconds >= startSeconds - half && seconds < endSeconds - half,
      )
      const label = `${track}, ${startSeconds} to ${endSeconds}`
      const frames = info.video.isVariableFrameRate ? pictures.length : expected.length
      expect(pictures.length, label).toBe(frames)
      for (const picture of pictures) {
        // at the start of a range of uneven frames, the one before it or after it
        const shown = whole.filter(({ seconds }) => Math.abs(seconds - picture.seconds) < 0.3)
        const near = shown.filter(({ seconds }) => Math.abs(seconds - picture.seconds) < half)
        const best = Math.min(
          ...(near.length > 0 ? near : shown).map((each) => difference(each.pixels, picture.pixels)),
        )
        expect(best, `${label}: picture at ${picture.seconds}`).toBeLessThan(12)
      }
      pictures.forEach((picture, i) => {
        const isFirst = i > 0 && isFlash(picture) && !isFlash(pictures[i - 1] ?? picture)
        if (isFirst) flashes.push(before + picture.seconds - startSeconds)
      })
      before += endSeconds - startSeconds
    }
  }
  const total = keep.reduce((sum, range) => sum + range.endSeconds - range.startSeconds, 0)
  const sharesInSync: number[] = []
  for (const plan of presentation.audio) {
    const samples = await decodeAudio(opened, keep, plan)
    const frame = AAC_FRAME_SAMPLES / plan.sampleRate
    expect(Math.abs(samples.length / plan.sampleRate - total)).toBeLessThan(2 * frame)
    const hertz = tones[plan.position] ?? 0
    const starts = toneStarts(samples, plan.sampleRate, 0.2).filter(
      (from) => Math.abs(hertzOf(samples, plan.sampleRate, from) - hertz) < 0.1 * hertz,
    )
    // a beep that a join has shortened begins elsewhere
    const pairs = flashes.map((flashed) => Math.min(...starts.map((from) => Math.abs(from - flashed))))
    expect(pairs.length).toBeGreaterThan(0)
    sharesInSync.push(pairs.filter((distance) => distance < SYNC_SECONDS).length / pairs.length)
  }
  remuxer.close()
  return { ranges: keep.length, sharesInSync }
}

/** Share of the beeps that no join shortens. */
const WHOLE_BEEPS = 0.7

const long = ['many ranges', 'many ranges, uneven frames and two audio tracks'] as const
const short = Object.keys(sources).filter((name) => !long.some((each) => each === name))

test.for(short as (keyof typeof sources)[])(
  'random cuts of %s have the pictures of the source, in sync with the sound',
  { timeout: 300_000 },
  async (name) => {
    const { sharesInSync } = await checkCut(name, 6, seed)
    expect(Math.min(...sharesInSync)).toBeGreaterThan(WHOLE_BEEPS)
  },
)

test.for(long)('a hundred cuts stay in sync: %s', { timeout: 1_200_000, tags: ['nightly'] }, async (name) => {
  const { ranges, sharesInSync } = await checkCut(name, 125, seed)
  expect(ranges).toBeGreaterThanOrEqual(100)
  expect(Math.min(...sharesInSync)).toBeGreaterThan(WHOLE_BEEPS)
})
