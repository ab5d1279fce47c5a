import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeAudio, encodeInit, encodeSegments } from './encode/encode.ts'
import { VIDEO_TIMESCALE } from './encode/ffmpeg-args.ts'
import { runTool } from './process/ffmpeg.ts'
import { FragmentReader } from './containers/mp4/fmp4.ts'
import { type Presentation, planPresentation } from './plan/hls.ts'
import { readIndexInChild } from './probe/index-process.ts'
import { probe } from './probe/probe.ts'
import { SourceRemuxer } from './remux/remux.ts'
import { SampleTable } from './containers/mp4/sample-table.ts'
import { tableOf, tablesOf, withEdits, withTables } from './testing/edit-mp4.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { bytesOfFile } from './source/source-bytes.ts'
import type { SourceInfo } from './source/source-info.ts'
import { buildStoryboard, planStoryboard } from './encode/storyboard.ts'
import { AAC_FRAME_SAMPLES } from './plan/timeline.ts'
import { findDamage } from './damage/find-damage.ts'
import { readCueTimes } from './containers/webm/cues.ts'

const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-sources-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const at = (name: string) => path.join(directory, name)
const tone = '-f lavfi -i sine=d=5:r=48000'
const bars = (size = '160x120', rate = '25') => `-f lavfi -i testsrc2=s=${size}:r=${rate}:d=5`
const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50'

async function make(name: string, args: string): Promise<string> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args.split(' '), at(name)])
  return at(name)
}

interface Opened {
  file: string
  source: SourceInfo
  presentation: Presentation
}

async function open(file: string): Promise<Opened> {
  const source = await probe(tools, file)
  return { file, source, presentation: planPresentation(source) }
}

/** Encodes the highest rendition in runs of `atOnce` segments, and returns the presentation times of its frames. */
async function shownTimes(
  { file, source, presentation: { timeline, renditions } }: Opened,
  atOnce = 1,
): Promise<number[]> {
  const rendition = renditions.at(-1)
  if (!rendition) throw new Error('no rendition')
  const times: number[] = []
  const reader = new FragmentReader(({ samples }) => {
    times.push(...samples.map((sample) => sample.pts / VIDEO_TIMESCALE))
  })
  const job = { tools, source, timeline, path: file }
  for (let from = 0; from < timeline.segmentCount; from += atOnce) {
    const to = Math.min(from + atOnce, timeline.segmentCount)
    await encodeSegments(job, [rendition], { from, to }, (_, __, bytes) => reader.push(bytes))
  }
  return times.toSorted((a, b) => a - b)
}

const unusualColours = [
  ['rgb.mp4', `${bars()} -pix_fmt gbrp -c:v libx265 -preset ultrafast -x265-params log-level=error`],
  ['rgb.webm', `${bars()} -pix_fmt gbrp -c:v libvpx-vp9 -deadline realtime -cpu-used 8`],
  ['pal.mp4', `${bars()} ${x264} -color_trc gamma28 -color_primaries bt470bg -colorspace bt470bg`],
] as const

for (const [name, args] of unusualColours)
  test(`encodes ${name} with unusual colour metadata`, nightlyUnless(name === 'rgb.mp4'), async () => {
    const { file, source, presentation } = await open(await make(name, args))
    const job = { tools, source, timeline: presentation.timeline, path: file }
    for (const rendition of presentation.renditions)
      expect((await encodeInit(job, rendition)).length).toBeGreaterThan(0)
  })

for (const size of [0, 65_535])
  test(
    `has no passthrough rendition for a file that claims ${size}x${size}`,
    nightlyUnless(size === 0),
    async () => {
      const bytes = await readFile(await make('claims.mp4', `${bars()} ${x264}`))
      const sampleEntry = bytes.indexOf('avc1', bytes.indexOf('stsd'))
      bytes.writeUInt16BE(size, sampleEntry + 28)
      bytes.writeUInt16BE(size, sampleEntry + 30)
      await writeFile(at('claims.mp4'), bytes)
      const opened = await open(at('claims.mp4'))
      expect(opened.presentation.passthrough).toBeNull()
      expect(await shownTimes(opened)).toHaveLength(125)
    },
  )

test('failing input rejects only its own run', async () => {
  // oxlint-disable-next-line require-yield
  async function* broken(): AsyncGenerator<Uint8Array> {
    throw new Error('unreadable')
  }
  const args = ['-v', 'error', '-f', 'mov', '-i', 'pipe:0', '-f', 'null', '-']
  await expect(runTool('ffmpeg', args, { timeoutMs: 100_000, input: broken() })).rejects.toThrow('unreadable')
})

test('encodes a rotated video upright', { tags: ['nightly'] }, async () => {
  const landscape = await make('landscape.mp4', `${bars('480x270')} ${x264}`)
  const turned = await open(await make('turned.mp4', `-i ${landscape} -c copy -metadata:s:v rotate=90`))
  expect(turned.source.video).toMatchObject({ displayWidth: 270, displayHeight: 480 })
  expect(turned.presentation.renditions.map((rendition) => `${rendition.width}x${rendition.height}`)).toEqual(
    ['240x426'],
  )
  expect(turned.presentation.passthrough).toBeNull()
})

test('tone-maps HDR', async () => {
  const colors = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'
  const args = `${bars()} -pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -x265-params log-level=error:${colors} -tag:v hvc1`
  const { file, source, presentation } = await open(await make('hdr.mp4', args))
  expect(source.video).toMatchObject({ isHdr: true, bitDepth: 10 })
  const [rendition] = presentation.renditions
  if (!rendition) throw new Error('no rendition')
  const job = { tools, source, timeline: presentation.timeline, path: file }
  const parts = [await encodeInit(job, rendition)]
  await encodeSegments(job, [rendition], { from: 0, to: 1 }, (_, __, bytes) => parts.push(bytes))
  await writeFile(at('sdr.mp4'), Buffer.concat(parts))
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=pix_fmt,color_transfer',
    '-of',
    'csv=p=0',
    at('sdr.mp4'),
  ])
  expect(stdout.trim()).toBe('yuv420p,bt709')

  // the storyboard has the colours of the renditions
  const storyboard = planStoryboard(source.video, presentation.timeline.durationSeconds)
  const [sheet] = await buildStoryboard(job, storyboard)
  const { width, height } = storyboard
  const meanOf = async (video: Buffer | string | undefined) => {
    // count the cropped pixels, not the input
    const cell = await sharp(video).extract({ left: 0, top: 0, width, height }).png().toBuffer()
    return (await sharp(cell).stats()).channels.map(({ mean }) => mean)
  }
  const frame = [
    '-v',
    'error',
    '-y',
    '-i',
    at('sdr.mp4'),
    '-frames:v',
    '1',
    '-vf',
    `scale=${width}:${height}`,
  ]
  await run('ffmpeg', [...frame, at('sdr.png')])
  const played = await meanOf(at('sdr.png'))
  const previewed = await meanOf(sheet)
  played.forEach((mean, channel) => expect(Math.abs((previewed[channel] ?? 0) - mean)).toBeLessThan(8))
})

test(
  'segments that begin in a long gap repeat the previous frame, in one run as in several',
  { tags: ['nightly'] },
  async () => {
    const args = `-f lavfi -i testsrc2=s=160x120:r=25:d=20,select='lt(t\\,3)+gt(t\\,17)' -fps_mode vfr ${x264}`
    const opened = await open(await make('gap.mp4', args))
    const times = await shownTimes(opened)
    expect(times.filter((time) => time < 3 || time > 17)).toHaveLength(149)
    expect(times.filter((time) => time > 3 && time < 17)).toEqual([4, 8, 12, 16])
    expect(await shownTimes(opened, opened.presentation.timeline.segmentCount)).toEqual(times)
  },
)

test('frames hidden by an edit list stay hidden', { tags: ['nightly'] }, async () => {
  const whole = await make('whole.mp4', `${bars()} ${tone} ${x264} -c:a aac`)
  const opened = await open(await make('cut.mp4', `-ss 1.3 -i ${whole} -c copy`))
  const times = await shownTimes(opened)
  expect(times.length).toBeGreaterThanOrEqual(92)
  expect(times.length).toBeLessThanOrEqual(93)
  expect(opened.presentation.timeline.durationSeconds).toBeCloseTo(3.7, 1)
})

test('a truncated file plays up to the truncation', async () => {
  const file = await make('broken.mp4', `${bars()} ${tone} ${x264} -c:a aac -movflags +faststart`)
  const whole = await probe(tools, file)
  await truncate(file, Math.round(whole.sizeBytes * 0.6))
  const opened = await open(file)
  expect(opened.source.isBrokenOff).toBe(true)
  const { durationSeconds } = opened.presentation.timeline
  expect(durationSeconds).toBeGreaterThan(2)
  expect(durationSeconds).toBeLessThan(4)
  const times = await shownTimes(opened)
  expect(Math.abs(times.length - durationSeconds * 25)).toBeLessThan(3)
})

const webm = `${bars()} ${tone} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 25 -c:a libopus`
const theora = `${bars()} ${tone} -c:v libtheora -g 25 -c:a libvorbis`

const truncatedFiles = [
  ['half.webm', `${webm} -cluster_time_limit 500`],
  ['front.webm', `${webm} -cluster_time_limit 500 -cues_to_front 1`],
  ['recorded.webm', `${webm} -cluster_time_limit 500 -live 1`],
  ['half.ogv', theora],
  ['fragments.mp4', `${bars()} ${tone} ${x264} -c:a aac -movflags frag_keyframe+empty_moov`],
] as const

for (const [name, args] of truncatedFiles)
  test(
    `truncated ${name} plays up to the truncation`,
    nightlyUnless(/half.webm|fragments/.test(name)),
    async () => {
      const file = await make(name, args)
      const whole = await probe(tools, file)
      expect(whole.isBrokenOff).toBe(false)
      await truncate(file, Math.round(whole.sizeBytes * 0.6))
      const opened = await open(file)
      expect(opened.source.isBrokenOff).toBe(true)
      const { durationSeconds } = opened.presentation.timeline
      expect(durationSeconds).toBeGreaterThan(1.5)
      expect(durationSeconds).toBeLessThan(4)
      const times = await shownTimes(opened)
      expect(Math.abs(times.length - durationSeconds * 25)).toBeLessThan(3)
      for (const { endSeconds } of opened.source.audio) {
        expect(endSeconds).toBeLessThanOrEqual(opened.source.video.endSeconds)
      }
    },
  )

/** Removes fragments from a video; optionally blanks the data of all later ones. */
async function leaveOut(file: string, from: number, to: number, isRestBlank = false): Promise<void> {
  const bytes = await readFile(file)
  const starts: number[] = []
  for (let moof = bytes.indexOf('moof'); moof >= 0; moof = bytes.indexOf('moof', moof + 4))
    starts.push(moof - 4)
  const rest = bytes.subarray(starts[to])
  for (let mdat = isRestBlank ? rest.indexOf('mdat') : -1; mdat >= 0; mdat = rest.indexOf('mdat', mdat)) {
    const end = mdat - 4 + rest.readUInt32BE(mdat - 4)
    rest.fill(0, mdat + 4, end)
    mdat = end
  }
  await writeFile(file, Buffer.concat([bytes.subarray(0, starts[from]), rest]))
}

const inFragments = `-f lavfi -i testsrc2=s=320x240:r=25:d=16 ${x264} -movflags frag_keyframe+empty_moov+default_base_moof`

test('a video with missing fragments shows the last frame during the gap', async () => {
  const file = await make('without-some.mp4', inFragments)
  await leaveOut(file, 3, 6)
  const opened = await open(file)
  expect(opened.presentation.timeline.durationSeconds).toBeCloseTo(16, 0)
  const times = await shownTimes(opened)
  // the frame before the gap is repeated at 8 s
  expect(times).toHaveLength(10 * 25 + 1)
  expect(times[150]).toBeCloseTo(8, 3)
})

test('locates damage after which nothing can be decoded', async () => {
  const file = await make('without-more.mp4', inFragments)
  await leaveOut(file, 3, 6, true)
  const { source, presentation } = await open(file)
  const { timeline, renditions } = presentation
  const job = { tools, source, timeline, path: file }
  const [missing] = await Promise.allSettled([
    encodeSegments(job, renditions, { from: 2, to: 3 }, () => undefined),
  ])
  expect(missing).toMatchObject({ reason: { index: 2 } })
  const damage = await findDamage({ tools, file: source, path: file }, source, timeline, 2)
  expect(damage?.toSeconds).toBe(null)
  expect(damage?.fromSeconds).toBeCloseTo(6, 1)
})

test('a recording truncated in the header of a fragment plays up to it', async () => {
  const file = await make('recorded.mp4', `${bars()} ${x264} -movflags frag_keyframe+empty_moov`)
  const last = (await readFile(file)).lastIndexOf('moof') - 4
  await truncate(file, last + 5)
  const opened = await open(file)
  expect(opened.source.isBrokenOff).toBe(true)
  expect(await shownTimes(opened)).toHaveLength(100)
})

for (const bytes of [20, 100, 205])
  test(
    `a recording truncated ${bytes} bytes into a moof plays up to it`,
    nightlyUnless(bytes === 100),
    async () => {
      const file = await make('recorded.mp4', `${bars()} ${x264} -movflags frag_keyframe+empty_moov`)
      const whole = await readFile(file)
      const last = whole.lastIndexOf('moof') - 4
      expect(whole.readUInt32BE(last)).toBeGreaterThan(bytes)
      await truncate(file, last + bytes)
      const opened = await open(file)
      const { source, presentation } = opened
      expect(source).toMatchObject({ isBrokenOff: true, wholeBytes: last })
      expect(await shownTimes(opened)).toHaveLength(100)
      // the passthrough rendition and the storyboard end there too
      const remuxer = new SourceRemuxer(await bytesOfFile(file, source.wholeBytes), presentation.timeline)
      const { passthrough } = presentation
      if (!passthrough) throw new Error('no passthrough rendition')
      let frames = 0
      const reader = new FragmentReader(({ samples }) => (frames += samples.length))
      for (const index of passthrough.cutsMicros.keys())
        reader.push(await remuxer.videoSegment(passthrough, index))
      remuxer.close()
      expect(frames).toBe(100)
      const storyboard = planStoryboard(source.video, presentation.timeline.durationSeconds)
      const job = { tools, source, timeline: presentation.timeline, path: file }
      expect(await buildStoryboard(job, storyboard)).toHaveLength(1)
    },
  )

/** The fragments of a video without audio, and the bytes before them. */
function fragmentsOf(video: Buffer): { head: Buffer; fragments: { index: Buffer; data: Buffer }[] } {
  const starts: number[] = []
  for (let place = video.indexOf('moof'); place >= 0; place = video.indexOf('moof', place + 1))
    starts.push(place - 4)
  const end = video.indexOf('mfra') - 4
  const fragments = starts.map((start, i) => {
    const index = video.subarray(start, start + video.readUInt32BE(start))
    return { index, data: video.subarray(start + index.length, starts[i + 1] ?? end) }
  })
  return { head: video.subarray(0, starts[0]), fragments }
}

const oneASecond = `${bars()} ${x264} -g 25 -bf 2 -movflags frag_keyframe+empty_moov+default_base_moof`

test('a video with out-of-order fragments plays up to the first of them', async () => {
  const { head, fragments } = fragmentsOf(await readFile(await make('in-order.mp4', oneASecond)))
  const [a, b, c, d, e] = fragments.map(({ index, data }) => Buffer.concat([index, data]))
  if (!a || !b || !c || !d || !e) throw new Error('not five fragments')
  await writeFile(at('out-of-order.mp4'), Buffer.concat([head, a, d, c, b, e]))
  const opened = await open(at('out-of-order.mp4'))
  const wholeBytes = head.length + a.length + d.length
  expect(opened.source).toMatchObject({ isBrokenOff: true, wholeBytes })
  expect(opened.source.durationSeconds).toBeCloseTo(4, 6)
  const times = await shownTimes(opened)
  // the previous frame is shown during the gap
  expect(times.filter((time) => time < 0.99)).toHaveLength(25)
  expect(times.filter((time) => time > 2.99)).toHaveLength(25)
  expect(times).toHaveLength(50)
})

test('has no passthrough rendition if a fragment lacks its data', async () => {
  const { head, fragments } = fragmentsOf(await readFile(await make('all-data.mp4', oneASecond)))
  const parts = fragments.flatMap(({ index, data }, i) => (i === 2 ? [index] : [index, data]))
  await writeFile(at('data-missing.mp4'), Buffer.concat([head, ...parts]))
  expect((await open(at('all-data.mp4'))).presentation.passthrough).not.toBeNull()
  const opened = await open(at('data-missing.mp4'))
  expect(opened.presentation.passthrough).toBeNull()
  expect(await shownTimes(opened)).toHaveLength(100)
})

/** Writes numbers after a box's version and flags. */
function write(video: Buffer, box: string, ...numbers: number[]): void {
  const start = video.indexOf(box) + 8
  numbers.forEach((number, index) => video.writeUInt32BE(number, start + index * 4))
}

const many = 50_000_000
const alike = (video: Buffer) => {
  write(video, 'stsz', 1, many)
  write(video, 'stts', 1, many, 1)
}

test.each<[name: string, flags: string, lie: (video: Buffer) => void]>([
  ['sizes', '', alike],
  ['chunks', '', (video) => write(video, 'stsc', 1, 1, many)],
  ['times', '', (video) => write(video, 'stts', 1, many, 1)],
  [
    'fragments',
    '-movflags frag_keyframe+empty_moov+default_base_moof',
    (video) => {
      video.writeUInt32BE(1, video.indexOf('trun') + 4)
      write(video, 'trun', many)
    },
  ],
])('refuses a video that states fifty million %s before reading them', async (name, flags, lie) => {
  const file = await make(`lying-${name}.mp4`, `${bars()} ${x264} ${flags}`.trim())
  const video = await readFile(file)
  lie(video)
  await writeFile(file, video)
  const bounds = { timeoutMs: 600_000, cpuSeconds: 600 }
  const refused = { name: 'ImplausibleIndex' }
  await expect(readIndexInChild({ path: file, container: 'mp4' }, bounds)).rejects.toMatchObject(refused)
  await expect(probe(tools, file)).rejects.toMatchObject({
    reason: 'unreadable',
    message: videoErrors.videoDamaged.message,
    cause: refused,
  })
})

const lies: [name: string, lie: (video: Buffer) => void][] = [
  ['offsets', (video) => write(video, 'stco', video.readUInt32BE(video.indexOf('stco') + 8), 4_000_000_000)],
  ['sizes', (video) => video.writeUInt32BE(many, video.indexOf('stsz') + 16 + 100 * 4)],
  ['sizes of nothing', (video) => video.writeUInt32BE(0, video.indexOf('stsz') + 16 + 100 * 4)],
  [
    'times of single samples',
    (video) => {
      write(video, 'stts', 1, 5_000_000, 1)
      write(video, 'stsz', 4, 5_000_000)
    },
  ],
]

for (const [name, lie] of lies)
  test(
    `plays silence where a table lies about the ${name} of audio`,
    nightlyUnless(name === 'offsets'),
    async () => {
      const audioFirst = `${bars()} ${tone} -map 1 -map 0 ${x264} -c:a aac`
      const file = await make(`lying-${name.replaceAll(' ', '-')}.mp4`, audioFirst)
      const video = await readFile(file)
      lie(video)
      await writeFile(file, video)
      const { source, presentation } = await open(file)
      const [plan] = presentation.audio
      if (!plan) throw new Error('no audio')
      expect(plan).toMatchObject({ isCopied: false, segmentCount: 2 })
      const frames: number[] = []
      const reader = new FragmentReader(({ samples }) => frames.push(...samples.map(({ pts }) => pts)))
      const job = { tools, source, timeline: presentation.timeline, path: file }
      await encodeAudio(job, plan, { from: 0, to: 2 }, (_, bytes) => reader.push(bytes))
      expect(frames).toEqual(Array.from({ length: plan.frameCount }, (_, frame) => frame * AAC_FRAME_SAMPLES))
    },
  )

test('remuxed audio whose frames share timestamps is complete and in sync', async () => {
  const beep = "aevalsrc=exprs='0.5*sin(2*PI*880*t)*between(t\\,4.5\\,4.7)':s=48000:d=6"
  const whole = await make('of-one-piece.mp4', `${bars()} -f lavfi -i ${beep} ${x264} -bf 2 -c:a aac`)
  const args = `-i ${whole} -c copy -movflags frag_every_frame+empty_moov`
  const { file, presentation } = await open(await make('of-each-frame.mp4', args))
  const [plan] = presentation.audio
  if (!plan?.isCopied) throw new Error('must be copied')
  const remuxer = new SourceRemuxer(file, presentation.timeline)
  const segments: Buffer[] = [await remuxer.audioInit(plan)]
  for (let index = 0; index < plan.segmentCount; index++)
    segments.push(await remuxer.audioSegment(tools, plan, index))
  remuxer.close()
  const audio = at('of-each-frame-sound.mp4')
  await writeFile(audio, Buffer.concat(segments))
  const stamps: number[] = []
  const reader = new FragmentReader(({ samples }) => stamps.push(...samples.map(({ pts }) => pts)))
  reader.push(Buffer.concat(segments))
  const steps = stamps.slice(1).map((stamp, i) => stamp - (stamps[i] ?? 0))
  expect(new Set(steps)).toEqual(new Set([AAC_FRAME_SAMPLES]))
  const probed = await run('ffmpeg', [
    ...'-hide_banner -i'.split(' '),
    audio,
    ...'-af silencedetect=n=-30dB:d=1 -f null -'.split(' '),
  ])
  const from = Number(/silence_end: ([\d.]+)/.exec(probed.stderr)?.[1])
  expect(Math.abs(from - 4.5)).toBeLessThan(0.03)
  const again = probed.stderr.slice(probed.stderr.indexOf('silence_end'))
  const to = Number(/silence_start: ([\d.]+)/.exec(again)?.[1])
  expect(Math.abs(to - 4.7)).toBeLessThan(0.03)
})

/** Pseudorandom numbers, the same each time. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = 1
  for (let place = 0; place < length; place++) {
    state = (state * 48_271) % 2_147_483_647
    bytes[place] = state >> 8
  }
  return bytes
}

const damages = [
  ['noise', 1, noise],
  ['noise', 2, noise],
  ['zeros', 1, Buffer.alloc],
  ['zeros', 2, Buffer.alloc],
] as const

for (const [what, channels, damage] of damages) {
  const name = `damaged-${what}-${channels}`
  test(
    `replaces damaged remuxed audio (${what}, ${channels} channels) by silence`,
    nightlyUnless(name === 'damaged-noise-2'),
    async () => {
      const healthy = await open(
        await make(`${name}-not.mp4`, `${bars()} ${tone} ${x264} -c:a aac -ac ${channels}`),
      )
      const bytes = await readFile(healthy.file)
      const [from, to] = [Math.round(bytes.length * 0.4), Math.round(bytes.length * 0.7)]
      damage(to - from).copy(bytes, from)
      await writeFile(at(`${name}.mp4`), bytes)
      const damaged = await open(at(`${name}.mp4`))
      const frames = async ({ file, source, presentation: { timeline, audio } }: Opened) => {
        const [plan] = audio
        if (!plan?.isCopied) throw new Error('must be copied')
        const remuxer = new SourceRemuxer(await bytesOfFile(file, source.wholeBytes), timeline)
        const segments: Buffer[] = [await remuxer.audioInit(plan)]
        for (let index = 0; index < plan.segmentCount; index++)
          segments.push(await remuxer.audioSegment(tools, plan, index))
        remuxer.close()
        await writeFile(`${file}-audio.mp4`, Buffer.concat(segments))
        const found: { pts: number; data: string }[] = []
        const reader = new FragmentReader(({ samples }) => {
          found.push(...samples.map(({ pts, data }) => ({ pts, data: Buffer.from(data).toString('hex') })))
        })
        reader.push(Buffer.concat(segments))
        return found
      }
      const [were, are] = [await frames(healthy), await frames(damaged)]
      expect(are.map(({ pts }) => pts)).toEqual(were.map(({ pts }) => pts))
      const others = are.filter(({ data }, frame) => data !== were[frame]?.data)
      expect(others.length).toBeGreaterThan(20)
      expect(others.length).toBeLessThan(150)
      expect(new Set(others.map(({ data }) => data)).size).toBe(1)
      expect(await frames(damaged)).toEqual(are)
      const { stderr } = await run('ffmpeg', [
        '-v',
        'error',
        '-xerror',
        '-i',
        `${damaged.file}-audio.mp4`,
        '-f',
        'null',
        '-',
      ])
      expect(stderr).toBe('')
    },
  )
}

/** Overwrites the video frames of the first seconds. */
async function damageBeginning(file: string, untilSeconds: number): Promise<void> {
  const entries = ['-show_entries', 'packet=pts_time,size,pos', '-of', 'csv=p=0']
  const { stdout } = await run('ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries, file])
  const bytes = await readFile(file)
  for (const line of stdout.trim().split('\n')) {
    const [time = 0, size = 0, position = 0] = line.split(',').map(Number)
    // the header of a WebM block stays
    if (time < untilSeconds) bytes.fill(0, position + 4, position + size)
  }
  await writeFile(file, bytes)
}

const beginnings = [
  ['beginning.mp4', `${bars()} ${tone} ${x264} -c:a aac`, 1.2, 2],
  ['beginning.webm', webm, 1.6, 2.007],
] as const

for (const [name, args, until, begins] of beginnings)
  test(
    `${name} with damaged first frames begins at the first frame that can be decoded`,
    nightlyUnless(name === 'beginning.mp4'),
    async () => {
      const file = await make(name, args)
      await damageBeginning(file, until)
      const opened = await open(file)
      const { source, presentation } = opened
      expect(source.video.startSeconds).toBeCloseTo(begins, 3)
      expect(source.index.cutsMicros[0]).toBe(Math.round(begins * 1e6))
      expect(source.videoGaps).toHaveLength(1)
      expect(presentation.passthrough).toBeNull()
      const times = await shownTimes(opened)
      expect(times).toHaveLength(75)
      expect(times[0]).toBe(0)
      const [plan] = presentation.audio
      if (!plan) throw new Error('no audio')
      expect(presentation.timeline.durationSeconds).toBeCloseTo(3, 1)
      const parts: ('init' | number)[] = []
      const job = { tools, source, timeline: presentation.timeline, path: file }
      await encodeAudio(job, plan, { from: 0, to: 1 }, (part) => parts.push(part))
      expect(parts).toEqual(['init', 0])
      const storyboard = planStoryboard(source.video, presentation.timeline.durationSeconds)
      expect(await buildStoryboard(job, storyboard)).toHaveLength(1)
    },
  )

test('refuses a video without any frame that can be decoded', async () => {
  const file = await make('no-picture.mp4', `${bars()} ${tone} ${x264} -c:a aac`)
  await damageBeginning(file, 60)
  await expect(probe(tools, file)).rejects.toMatchObject({
    reason: 'unreadable',
    message: videoErrors.videoDamaged.message,
  })
})

test('an incomplete download in preallocated space plays up to the data', async () => {
  const file = await make('zeros.webm', webm)
  const bytes = await readFile(file)
  await writeFile(file, bytes.fill(0, Math.round(bytes.length * 0.6)))
  const opened = await open(file)
  expect(opened.source.isBrokenOff).toBe(true)
  const { durationSeconds } = opened.presentation.timeline
  expect(durationSeconds).toBeLessThan(4)
  const times = await shownTimes(opened)
  expect(Math.abs(times.length - durationSeconds * 25)).toBeLessThan(3)
})

test('refuses a video whose frames cannot be decoded, even if its header is complete', async () => {
  const bytes = await readFile(await make('headless.mp4', `${bars()} ${tone} ${x264} -c:a aac`))
  const config = bytes.indexOf('avcC')
  bytes.fill(0, config + 10, config - 4 + bytes.readUInt32BE(config - 4))
  await writeFile(at('headless.mp4'), bytes)
  await expect(probe(tools, at('headless.mp4'))).rejects.toMatchObject({ reason: 'unreadable' })
})

test('inspects a video whose audio long precedes the video', { tags: ['nightly'] }, async () => {
  const file = await make('overture.mp4', `-itsoffset 3 ${bars()} ${tone} ${x264} -c:a aac`)
  expect(await probe(tools, file)).toMatchObject({ video: { codec: 'h264' }, audio: [{ codec: 'aac' }] })
})

test('accepts 8K', { timeout: 400_000, tags: ['nightly'] }, async () => {
  const { source, presentation } = await open(
    await make('8k.mp4', `-f lavfi -i testsrc2=s=7680x4320:r=5:d=1 ${x264}`),
  )
  expect(source.video).toMatchObject({ codedWidth: 7680, codedHeight: 4320 })
  expect(presentation.renditions.map(({ name }) => name)).toEqual([
    '144',
    '240',
    '360',
    '480',
    '720',
    '1080',
    '1440',
    '2160',
  ])
})

test('reads the index of ten hours', { timeout: 400_000 }, async () => {
  const short = await make(
    'short-of-ten.mp4',
    `-f lavfi -i color=s=64x36:r=1:d=60 -c:v libx264 -g 4 -pix_fmt yuv420p`,
  )
  const file = at('ten-hours.mp4')
  await run('ffmpeg', `-v error -y -stream_loop 599 -i ${short} -c copy ${file}`.split(' '))
  const { presentation } = await open(file)
  expect(presentation.timeline.durationSeconds).toBeCloseTo(36_000, -1)
  expect(presentation.passthrough?.cutsMicros).toHaveLength(9000)
})

test('plans twelve hours of sixty frames a second', { timeout: 400_000, tags: ['nightly'] }, async () => {
  const file = await make(
    'twelve-hours.mp4',
    '-f lavfi -i testsrc2=s=64x36:r=60:d=1 -c:v libx264 -g 60 -bf 2 -pix_fmt yuv420p',
  )
  const second = withEdits(await readFile(file), 0, [])
  const table = new SampleTable(tablesOf(second, 0))
  const frames = [...table.samples(0, table.count)]
  // Each second is a chunk with the frames of the first one.
  const seconds = 43_000
  const repeat = (rows: number[]) => Array.from({ length: seconds }, () => rows).flat()
  const duration = frames[0]?.duration ?? 0
  await writeFile(
    file,
    withTables(second, 0, {
      stts: tableOf([1, seconds * 60, duration]),
      ctts: tableOf([seconds * 60], repeat(frames.flatMap(({ pts }, frame) => [1, pts - frame * duration]))),
      stss: tableOf(
        [seconds],
        Array.from({ length: seconds }, (_, each) => each * 60 + 1),
      ),
      stsz: tableOf([0, seconds * 60], repeat(frames.map(({ size }) => size))),
      stsc: tableOf([1, 1, 60, 1]),
      co64: tableOf([seconds], repeat([0, frames[0]?.offset ?? 0])),
    }),
  )
  const { presentation } = await open(file)
  expect(presentation.timeline.durationSeconds).toBeCloseTo(seconds, 0)
  // The index reader has kept its limits of time and memory: what ffprobe reads instead has no passthrough rendition.
  expect(presentation.passthrough?.cutsMicros).toHaveLength(seconds / 4)
  const remuxer = new SourceRemuxer(file, presentation.timeline)
  try {
    const sizes = await remuxer.videoSizes(presentation.passthrough!)
    const [second0, ...others] = sizes.slice(0, -1)
    expect(new Set(others)).toEqual(new Set([second0]))
  } finally {
    remuxer.close()
  }
})

test('reads an Ogg with variable frame rate', { tags: ['nightly'] }, async () => {
  const video = `-f lavfi -i testsrc2=s=160x120:r=25:d=9,select='not(between(n\\,30\\,60))' -fps_mode vfr`
  const file = await make('varying.ogv', `${video} -c:v libtheora -g 25`)
  expect((await open(file)).presentation.timeline.durationSeconds).toBeCloseTo(9, 0)
})

const links = [
  ['same-numbers.ogv', '', '-serial_offset 1'],
  ['other-numbers.ogv', '', '-serial_offset 50'],
  // ffprobe does not read beyond the first link of this one
  ['with-audio.ogv', `${tone} -c:a libvorbis -shortest`, '-serial_offset 50'],
] as const

for (const [file, audio, second] of links)
  test(
    `plays the first link of a chained Ogg: ${file}`,
    nightlyUnless(file === 'with-audio.ogv'),
    async () => {
      const pattern = (name: string) => `-f lavfi -i ${name}=s=160x120:r=25:d=4 ${audio}`.trim()
      const coded = '-c:v libtheora -g 25 -t 4'
      const parts = await Promise.all([
        make('first-link.ogv', `${pattern('testsrc2')} ${coded} -serial_offset 1`).then((link) =>
          readFile(link),
        ),
        make('second-link.ogv', `${pattern('smptebars')} ${coded} ${second}`).then((link) => readFile(link)),
      ])
      await writeFile(at(file), Buffer.concat(parts))
      const opened = await open(at(file))
      const truncation = { isBrokenOff: true, wholeBytes: parts[0]?.length }
      expect(opened.source).toMatchObject(audio === '' ? truncation : { isBrokenOff: false })
      expect(opened.presentation.timeline.durationSeconds).toBe(4)
      expect(await shownTimes(opened)).toHaveLength(100)
      const storyboard = planStoryboard(opened.source.video, 4)
      const job = { tools, ...opened, timeline: opened.presentation.timeline, path: opened.file }
      expect(await buildStoryboard(job, storyboard)).toHaveLength(1)
    },
  )

test('gives up on an index that never ends', async () => {
  const file = await make(
    'truncated.webm',
    `${bars()} ${tone} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus`,
  )
  const bytes = await readFile(file)
  await writeFile(file, bytes.fill(0, Math.round(bytes.length * 0.6)))
  const bounds = { timeoutMs: 600_000, cpuSeconds: 600 }
  const truncated = { path: file, container: 'webm' } as const
  await expect(readIndexInChild(truncated, { ...bounds, cpuSeconds: 0.5 })).rejects.toThrow(
    'exceeded its processor time',
  )
  const signal = AbortSignal.timeout(2000)
  await expect(readIndexInChild(truncated, { ...bounds, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  // the next request gets an idle reader
  const whole = await make('whole.webm', `${bars()} -c:v libvpx-vp9 -deadline realtime -cpu-used 8`)
  expect(await readIndexInChild({ path: whole, container: 'webm' }, bounds)).toMatchObject({
    isBrokenOff: false,
  })
})

test('cuts a WebM at its cues, unless they are wrong', async () => {
  const video =
    '-f lavfi -i testsrc2=s=160x120:r=25:d=24 -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 25'
  const file = await make('cues.webm', video)
  const { index, durationSeconds } = await probe(tools, file)
  const bare = await probe(tools, await make('no-cues.webm', `-i ${file} -c copy -live 1`))
  expect(index.cutsMicros.map((cut) => Math.floor(cut / 1e6))).toEqual([0, 4, 8, 12, 16, 20])
  expect(bare.index.cutsMicros).toEqual(index.cutsMicros)
  const cueTimes = await readCueTimes(file, 1)
  expect(cueTimes).toHaveLength(24)
  expect(await readCueTimes(at('no-cues.webm'), 1)).toEqual([])

  // every cue is a tenth of a second late
  const bytes = await readFile(file)
  const cues = bytes.lastIndexOf(Buffer.from([0x1c, 0x53, 0xbb, 0x6b]))
  const cueTime = Buffer.from([0xb3, 0x82])
  for (let place = bytes.indexOf(cueTime, cues); place >= 0; place = bytes.indexOf(cueTime, place + 4)) {
    bytes.writeUInt16BE(bytes.readUInt16BE(place + 2) + 100, place + 2)
  }
  await writeFile(at('lying.webm'), bytes)
  expect((await readCueTimes(at('lying.webm'), 1)).at(-1)).toBeCloseTo((cueTimes.at(-1) ?? 0) + 0.1, 3)
  const lying = await probe(tools, at('lying.webm'))
  expect(lying.index.cutsMicros).toEqual(index.cutsMicros)
  expect(lying.durationSeconds).toBeCloseTo(durationSeconds, 1)
})

test('reads several indexes in sequence and in parallel, with idle and new readers', async () => {
  const file = await make('three-times.mp4', `${bars()} ${x264}`)
  const read = () =>
    readIndexInChild({ path: file, container: 'mp4' }, { timeoutMs: 600_000, cpuSeconds: 600 })
  const known = await read()
  expect(known?.cutsMicros.length).toBeGreaterThan(0)
  expect([await read(), await read()]).toEqual([known, known])
  expect(await Promise.all([read(), read(), read()])).toEqual([known, known, known])
  expect([await read(), await read()]).toEqual([known, known])
})

test('pads audio that ends early, and plays audio that outlasts the video to its end', async () => {
  const short = await open(await make('short.mp4', `${bars()} -f lavfi -i sine=d=2 ${x264} -c:a aac`))
  const [plan] = short.presentation.audio
  if (!plan) throw new Error('no audio')
  expect(plan).toMatchObject({ isCopied: false, segmentCount: 2 })
  const parts: ('init' | number)[] = []
  const job = { tools, source: short.source, timeline: short.presentation.timeline, path: short.file }
  await encodeAudio(job, plan, { from: 0, to: 2 }, (part) => parts.push(part))
  expect(parts).toEqual(['init', 0, 1])

  const long = await open(await make('long.mp4', `${bars()} -f lavfi -i sine=d=14 ${x264} -c:a aac`))
  // of its four segments the third and the fourth are after the video
  expect(long.presentation.timeline).toMatchObject({ extendsLastFrame: true, segmentCount: 4 })
  expect((await shownTimes(long)).filter((time) => time >= 5)).toEqual([8, 12])
  // segments of one repeated frame are the same bytes in one run and in several
  const { source, presentation } = long
  const of = { tools, source, timeline: presentation.timeline, path: long.file }
  const behind = async (...ranges: [from: number, to: number][]) => {
    const made: string[] = []
    for (const [from, to] of ranges)
      await encodeSegments(of, presentation.renditions, { from, to }, (rendition, index, bytes) =>
        made.push(`${rendition.name}/${index}: ${bytes.toString('base64')}`),
      )
    return made.toSorted()
  }
  expect(await behind([2, 4])).toEqual(await behind([2, 3], [3, 4]))
})

test('keeps the languages of tracks and downmixes 5.1 to stereo', { tags: ['nightly'] }, async () => {
  const args = `${bars()} ${tone} -f lavfi -i sine=d=5,aformat=channel_layouts=5.1 -map 0 -map 1 -map 2 ${x264} -c:a aac`
  const { presentation } = await open(
    await make('tracks.mp4', `${args} -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu`),
  )
  expect(presentation.audio).toMatchObject([
    { language: 'en', channels: 1, isCopied: true },
    { language: 'de', channels: 2, isCopied: false },
  ])
})

test.each([
  ['audio only, mp4', 'audio.mp4', `${tone} -c:a aac`, 'no_video'],
  ['audio only, ogg', 'audio.ogg', `${tone} -c:a libvorbis`, 'no_video'],
])('refuses %s', async (_, name, args, reason) => {
  const file = await make(name, args)
  await expect(probe(tools, file)).rejects.toMatchObject({ name: 'SourceRefused', reason })
})

test.each([
  ['an empty file', '', 'unknown_container'],
  ['text', 'hello', 'unknown_container'],
  ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n', 'unknown_container'],
  [
    'a playlist after an mp4 header',
    '\0\0\0\u0018ftypisom\0\0\0\0isommp42#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n',
    'unreadable',
  ],
])('refuses %s with the name of an mp4', async (_, text, reason) => {
  await writeFile(at('posing.mp4'), text)
  await expect(probe(tools, at('posing.mp4'))).rejects.toMatchObject({ name: 'SourceRefused', reason })
})
