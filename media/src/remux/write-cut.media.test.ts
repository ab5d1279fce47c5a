import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  encodeAudio,
  encodeAudioBorder,
  encodeInit,
  encodeSegments,
  encodeVideoBorder,
} from '../encode/encode.ts'
import { keptSeconds } from '@kinora/contract/videos/cut-times.ts'
import { CUT_SOURCE_NAME, type CutPart, type KeptRange, snapRanges } from '../plan/cut.ts'
import { audioName, findRendition, PASSTHROUGH_NAME, planPresentation } from '../plan/hls.ts'
import { planCutRendition } from '../plan/renditions.ts'
import { probe } from '../probe/probe.ts'
import { drawFile } from '../testing/draw-file.ts'
import { toneStarts } from '../testing/tone-starts.ts'
import { SourceRemuxer } from './remux.ts'
import { writeCut } from './write-cut.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const SECONDS = 60
const RATE = 25
const SYNC_SECONDS = 0.02

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-write-cut-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** White for a second, then black for a second, with a tone in the white ones. */
const source = [
  ...`-f lavfi -i testsrc2=s=128x72:r=${RATE}:d=${SECONDS},drawbox=c=white:t=fill:enable='lt(mod(t\\,2)\\,1)',drawbox=c=black:t=fill:enable='gte(mod(t\\,2)\\,1)'`.split(
    ' ',
  ),
  '-f',
  'lavfi',
  '-i',
  `aevalsrc=exprs='0.5*sin(2*PI*1000*t)*lt(mod(t\\,2)\\,1)':s=44100:d=${SECONDS}`,
]
const codecs = {
  mp4: '-c:v libx264 -preset veryfast -pix_fmt yuv420p -x264-params bframes=3:b-adapt=0:keyint=60 -c:a aac',
  webm: '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 60 -c:a libopus',
}

const run = (program: string, args: string[]) =>
  new Promise<Buffer>((resolve, reject) => {
    execFile(program, args, { encoding: 'buffer', maxBuffer: 2 ** 30 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
  })

async function cutFile(extension: 'mp4' | 'webm', ranges: KeptRange[], filters: string[] = []) {
  const file = path.join(directory, `source.${extension}`)
  await writeFile(file, await drawFile([...source, ...filters, ...codecs[extension].split(' ')], extension))
  const info = await probe(tools, file)
  const presentation = planPresentation(info)
  const { timeline, passthrough, audio } = presentation
  const keep = snapRanges(timeline, ranges) ?? []
  const job = { tools, source: info, timeline, path: file }
  const remuxer = new SourceRemuxer(file, timeline)

  async function read(name: string, part: 'init' | CutPart): Promise<Buffer> {
    const plan = audio.find((track) => audioName(track) === name)
    const found: Buffer[] = []
    if (plan) {
      if (part === 'init' || part.kind === 'segment') {
        if (plan.isCopied)
          return part === 'init' ? remuxer.audioInit(plan) : remuxer.audioSegment(tools, plan, part.index)
        const from = part === 'init' ? 0 : part.index
        await encodeAudio(job, plan, { from, to: from + 1 }, (which, bytes) => {
          if ((which === 'init') === (part === 'init')) found.push(bytes)
        })
        return found[0] ?? Buffer.alloc(0)
      }
      if (!('fromFrame' in part.border)) throw new Error('no border of audio')
      return plan.isCopied
        ? remuxer.audioBorder(tools, plan, part.border)
        : encodeAudioBorder(job, plan, part.border)
    }
    if (name === PASSTHROUGH_NAME && passthrough) {
      if (part === 'init') return remuxer.videoInit()
      if (part.kind === 'segment') return remuxer.videoSegment(passthrough, part.index)
    }
    const rendition =
      name === CUT_SOURCE_NAME && passthrough
        ? planCutRendition(info, timeline, passthrough, name)
        : findRendition(presentation, name)
    if (!rendition) throw new Error(`no track ${name}`)
    if (part === 'init') return encodeInit(job, rendition)
    if (part.kind === 'segment')
      await encodeSegments(job, [rendition], { from: part.index, to: part.index + 1 }, (_, __, bytes) =>
        found.push(bytes),
      )
    else if ('fromSeconds' in part.border)
      await encodeVideoBorder(job, [rendition], part.border, (_, bytes) => found.push(bytes))
    return found[0] ?? Buffer.alloc(0)
  }

  const target = path.join(directory, `cut-of-${extension}.mp4`)
  const shares: number[] = []
  await writeFile(
    target,
    writeCut({ presentation, keep, read }, (share) => shares.push(share)),
  )
  remuxer.close()
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  return { target, keep, seconds: keptSeconds(keep) }
}

/** Times at which the picture, or the sound, of a file begins to be on. */
async function beginnings(file: string) {
  const gray = `-map 0:v -vf scale=1:1:flags=area,format=gray -fps_mode passthrough -f rawvideo -`
  const pixels = await run('ffmpeg', `-v error -xerror -err_detect explode -i ${file} ${gray}`.split(' '))
  const times = (
    await run(
      'ffprobe',
      `-v error -select_streams v -show_entries frame=pts_time -of csv=p=0 ${file}`.split(' '),
    )
  )
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.replace(',', '')))
  expect(times.length).toBe(pixels.length)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const seen = times.filter((_, i) => (pixels[i] ?? 0) > 128 && (pixels[i - 1] ?? 0) <= 128)
  const raw = await run(
    'ffmpeg',
    `-v error -xerror -i ${file} -map 0:a -ac 1 -ar 44100 -f f32le -`.split(' '),
  )
  const samples = new Float32Array(raw.buffer, raw.byteOffset, raw.length / 4)
  const heard = toneStarts(samples, 44_100, 0.3)
  return { seen, heard, frames: times.length, audioSeconds: samples.length / 44_100 }
}

/** Twenty ranges, each from within a black second to within the next but one. */
const ranges = Array.from({ length: 20 }, (_, i) => {
  const startSeconds = 1.3 + (i % 4) * 0.13 + 2 * Math.floor(i * 1.4)
  return { startSeconds, endSeconds: startSeconds + 2.04 }
})

test.for(['mp4', 'webm'] as const)(
  'writes the cut of a %s of which every frame can be decoded, in sync after many joins',
  { timeout: 300_000 },
  async (extension) => {
    const disjoint = ranges.filter(({ startSeconds }, i) => startSeconds > (ranges[i - 1]?.endSeconds ?? 0))
    expect(disjoint.length).toBeGreaterThan(8)
    const { target, seconds } = await cutFile(extension, disjoint)
    // frames of the source, and those at borders, have parameter sets of their own
    const bytes = await readFile(target)
    const sequences = bytes.readUInt8(bytes.indexOf('avcC', 'latin1') + 4 + 5) & 0x1f
    expect(sequences).toBe(extension === 'mp4' ? 2 : 1)
    const info = await probe(tools, target)
    expect(info.durationSeconds).toBeCloseTo(seconds, 1)
    const { seen, heard, frames, audioSeconds } = await beginnings(target)
    expect(frames).toBe(Math.round(seconds * RATE))
    expect(Math.abs(audioSeconds - seconds)).toBeLessThan(0.1)
    expect(seen.length).toBe(disjoint.length)
    expect(heard.length).toBe(seen.length)
    const apart = seen.map((time, i) => Math.abs(time - (heard[i] ?? 0)))
    expect(Math.max(...apart)).toBeLessThan(SYNC_SECONDS)
    // the file is one that is played as it is
    const again = planPresentation(info)
    expect(again.passthrough).not.toBeNull()
    expect(again.audio.every((plan) => plan.isCopied || plan.isLowBitrate)).toBe(true)
  },
)

/** Long enough that the gap lies within a segment of the source. */
const long = [
  { startSeconds: 0, endSeconds: 20.5 },
  { startSeconds: 30.5, endSeconds: 50 },
]

test('keeps sound in sync after a gap, which is silent', { timeout: 100_000 }, async () => {
  const gap = ['-af', String.raw`aselect=not(between(t\,7.5\,9.5))`]
  const { target, seconds } = await cutFile('mp4', long, gap)
  const { seen, heard, audioSeconds } = await beginnings(target)
  expect(Math.abs(audioSeconds - seconds)).toBeLessThan(0.1)
  const missing = seen.filter((time) => !heard.some((at) => Math.abs(at - time) < SYNC_SECONDS))
  expect(missing.map(Math.round)).toEqual([8])
})

test('keeps pictures in sync where a range begins with a pause', { timeout: 100_000 }, async () => {
  const pause = ['-vf', String.raw`select=not(between(t\,30.42\,30.9))`, '-fps_mode', 'vfr']
  const { target } = await cutFile('mp4', [{ startSeconds: 30.5, endSeconds: 50 }], pause)
  const { seen, heard } = await beginnings(target)
  const apart = seen.slice(1).map((time, i) => Math.abs(time - (heard[i + 1] ?? 0)))
  expect(apart.length).toBeGreaterThan(5)
  expect(Math.max(...apart)).toBeLessThan(SYNC_SECONDS)
})
