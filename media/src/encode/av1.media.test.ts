import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawFile } from '../testing/draw-file.ts'
import { planPresentation } from '../plan/hls.ts'
import { probe } from '../probe/probe.ts'
import { encodeInit, encodesAv1, encodeSegments } from './encode.ts'

const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-av1-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

interface Packet {
  pts_time: string
  duration_time: string
  flags: string
}

/** Encodes the ranges of the largest AV1 rendition of a clip in runs of their own, and joins them in order. */
async function encodeAv1(filter: string, ranges: [from: number, to: number][]) {
  const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -fps_mode passthrough'
  const bytes = await drawFile(['-f', 'lavfi', '-i', filter, ...x264.split(' ')], 'mp4')
  const file = path.join(directory, 'source.mp4')
  await writeFile(file, bytes)
  const source = await probe(tools, file)
  const { timeline, av1 } = planPresentation(source)
  const rendition = av1.at(-1)
  if (!rendition) throw new Error('no AV1 rendition')
  const job = { tools, source, timeline, path: file }
  const init = await encodeInit(job, rendition)
  const segments: Buffer[] = []
  for (const [from, to] of ranges.toReversed())
    await encodeSegments(job, [rendition], { from, to }, (_, index, segment) => (segments[index] = segment))
  expect(Object.keys(segments)).toHaveLength(timeline.segmentCount)
  return { init, segments, timeline, rendition, source: file }
}

async function write(name: string, parts: Buffer[]): Promise<string> {
  const file = path.join(directory, name)
  await writeFile(file, Buffer.concat(parts))
  return file
}

async function packetsOf(file: string): Promise<Packet[]> {
  const args = '-v error -show_entries packet=pts_time,duration_time,flags -of json'.split(' ')
  const { stdout } = await run('ffprobe', [...args, file])
  return (JSON.parse(stdout) as { packets: Packet[] }).packets
}

/** Decodes a file with dav1d, as browsers do. Returns the number of frames, and throws if any has an error. */
async function countDecoded(file: string): Promise<number> {
  const args = '-v error -xerror -err_detect explode -c:v libdav1d'.split(' ')
  const { stdout, stderr } = await run('ffmpeg', [...args, '-i', file, '-f', 'framemd5', '-'])
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
}

/** The sequence header that the box `av1C` of an init segment holds, after four bytes. */
function sequenceHeaderOf(init: Buffer): Buffer {
  const at = init.indexOf('av1C')
  return init.subarray(at + 8, at - 4 + init.readUInt32BE(at - 4))
}

test('this ffmpeg encodes AV1, and another program does not', async () => {
  expect(await encodesAv1(tools)).toBe(true)
  expect(await encodesAv1({ ffmpeg: '/usr/bin/false' })).toBe(false)
})

test('AV1 segments of independent runs join, and each decodes alone with the init segment', async () => {
  const { init, segments, timeline, rendition, source } = await encodeAv1('testsrc2=s=320x240:r=25:d=13', [
    [0, 1],
    [1, 3],
    [3, 4],
  ])
  // as the playlist states it
  expect(Number(rendition.codecs.slice(7, 9))).toBe(init[init.indexOf('av1C') + 5]! & 0x1f)
  for (const [index, segment] of segments.entries()) {
    expect(segment.includes(sequenceHeaderOf(init)), `segment ${index}`).toBe(true)
    const file = await write('one.mp4', [init, segment])
    const packets = await packetsOf(file)
    const keys = packets.filter(({ flags }) => flags.startsWith('K'))
    expect(keys).toEqual([packets[0]])
    expect(Number(packets[0]?.pts_time)).toBeCloseTo(index * 4, 3)
    expect(await countDecoded(file)).toBe(index === 3 ? 25 : 100)
  }
  const joined = await write('joined.mp4', [init, ...segments])
  const packets = await packetsOf(joined)
  const last = packets.at(-1)
  expect(packets.map(({ pts_time }) => Number(pts_time).toFixed(2))).toEqual(
    Array.from({ length: 325 }, (_, frame) => (frame / 25).toFixed(2)),
  )
  expect(Number(last?.pts_time) + Number(last?.duration_time)).toBeCloseTo(timeline.durationSeconds, 3)
  expect(await countDecoded(joined)).toBe(325)
  const psnr = '[0:v]settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b];[a][b]psnr'
  const { stderr } = await run('ffmpeg', ['-i', joined, '-i', source, '-lavfi', psnr, '-f', 'null', '-'])
  expect(Number(/min:([\d.]+)/.exec(stderr)?.[1])).toBeGreaterThan(25)
})

test('uneven frames keep their times in AV1', { tags: ['nightly'] }, async () => {
  const { init, segments, source } = await encodeAv1("testsrc2=s=320x240:r=25:d=9,select='lt(mod(t,2),1)'", [
    [0, 2],
    [2, 3],
  ])
  const times = (packets: Packet[]) =>
    packets.map(({ pts_time }) => Number(pts_time)).toSorted((a, b) => a - b)
  const joined = times(await packetsOf(await write('uneven.mp4', [init, ...segments])))
  const original = times(await packetsOf(source))
  expect(joined).toHaveLength(original.length)
  for (const [index, time] of joined.entries()) expect(time).toBeCloseTo(original[index] ?? 0, 2)
})
