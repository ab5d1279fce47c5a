import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type EncodedPacket, EncodedPacketSink, type InputTrack } from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMp4Tracks } from './tracks.ts'
import { LibraryPackets, TablePackets } from '../packets.ts'
import { openInput, rangesOfFile } from '../../source/source-bytes.ts'
import { SourceTracks } from '../source-tracks.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'

const run = promisify(execFile)
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-tables-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25'

async function createClip(name: string, args: string): Promise<string> {
  const file = path.join(directory, name)
  const inputs = ['testsrc2=s=160x120:r=25:d=6', 'sine=d=6:r=48000', 'sine=f=880:d=6:r=44100']
  const all = inputs.flatMap((input) => ['-f', 'lavfi', '-i', input])
  await run('ffmpeg', ['-v', 'error', '-y', ...all, ...args.split(' '), file])
  return file
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

const files: [name: string, args: string][] = [
  ['plain.mp4', `${x264} -c:a aac`],
  ['front.mp4', `${x264} -c:a aac -movflags +faststart`],
  ['leading.mp4', `${x264} -bf 3 -x264-params open-gop=1 -c:a aac`],
  ['ordered.mp4', `${x264} -bf 0 -c:a aac`],
  ['intra.mp4', '-c:v mjpeg -pix_fmt yuvj420p -c:a aac'],
  ['uneven.mp4', `-vf select='mod(n\\,3)' -fps_mode vfr ${x264} -c:a aac`],
  ['late.mp4', `${x264} -bf 2 -c:a aac -output_ts_offset 1.5`],
  ['two.mp4', `-map 0 -map 1 -map 2 ${x264} -c:a aac`],
  ['chunks.mp4', `${x264} -c:a aac -chunk_duration 1000000`],
  ['qt.mp4', `${x264} -c:a aac -brand qt -video_track_timescale 600`],
]
const essential = ['leading.mp4', 'uneven.mp4', 'two.mp4', 'chunks.mp4']

for (const [name, args] of files)
  test(`finds the same packets as mediabunny: ${name}`, nightlyUnless(essential.includes(name)), async () => {
    const file = await createClip(name, args)
    const tracks = new SourceTracks(file)
    using library = openInput(file)
    const video = await library.getPrimaryVideoTrack()
    const audioTracks = await library.getAudioTracks()
    for (const [position, track] of [video, ...audioTracks].entries()) {
      // MJPEG is not remuxed; its audio is
      if (!track?.codec) continue
      const { packets } = position === 0 ? await tracks.video() : await tracks.audio(position - 1)
      expect(packets).toBeInstanceOf(TablePackets)
      await expectAlike(packets as TablePackets, track)
    }
    tracks.close()
  })

async function expectSameIndex(packets: TablePackets, track: InputTrack): Promise<void> {
  const library = new LibraryPackets(track)
  const [ends, wanted] = [await packets.ends(), await library.ends()]
  expect(ends?.first.timestamp).toBe(wanted?.first.timestamp)
  expect(ends?.last.timestamp).toBe(wanted?.last.timestamp)
  expect(ends?.endSeconds).toBeCloseTo(wanted?.endSeconds ?? Number.NaN, 6)
  expect(await ends?.isLastThere()).toBe(true)
  const described = ({ timestamp, byteLength }: EncodedPacket) => ({ timestamp, byteLength })
  const [keys, wantedKeys] = [await collect(packets.keys()), await collect(library.keys())]
  expect(keys.map(described)).toEqual(wantedKeys.map(described))
}

async function expectAlike(packets: TablePackets, track: InputTrack): Promise<void> {
  const sink = new EncodedPacketSink(track)
  const [mine, theirs] = [await packets.first(), await sink.getFirstPacket()]
  if (!mine || !theirs) throw new Error('the track is empty')
  const described = async (from: AsyncIterable<EncodedPacket>) =>
    (await collect(from)).map(({ type, timestamp, byteLength, data }) => ({
      type,
      timestamp,
      byteLength,
      data: Buffer.from(data).toString('base64'),
    }))
  expect(await described(packets.read(mine, null))).toEqual(await described(sink.packets(theirs)))
  await expectSameIndex(packets, track)
  const duration = await track.computeDuration()
  for (let at = -0.5; at < duration + 1; at += 0.19) {
    const [key, wanted] = [await packets.keyAt(at), await sink.getKeyPacket(at)]
    const bytes = key && (await packets.bytesOf(key))
    const wantedBytes = wanted?.data ?? new Uint8Array()
    expect([at, key?.timestamp]).toEqual([at, wanted?.timestamp])
    expect(Buffer.compare(bytes ?? new Uint8Array(), wantedBytes)).toBe(0)
  }
}

test.each<[string, string]>([
  ['fragments.mp4', `${x264} -c:a aac -movflags frag_keyframe+empty_moov`],
  ['other.webm', '-t 1 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus'],
  ['none.ogg', '-map 1 -c:a libvorbis'],
])('has no sample tables: %s', async (name, args) => {
  expect(await findMp4Tracks(await rangesOfFile(await createClip(name, args)))).toBeUndefined()
})

test('reads only the tables and the requested frames of a long video', async () => {
  const file = await createClip('long.mp4', `-map 0 -map 1 -map 2 ${x264} -b:v 8M -minrate 8M -c:a aac`)
  const { sizeBytes, read } = await rangesOfFile(file)
  let readBytes = 0
  const tracks = new SourceTracks({
    sizeBytes,
    read(start, end) {
      readBytes += end - start
      return read(start, end)
    },
  })
  const { packets } = await tracks.video()
  const before = readBytes
  const [second, third] = [await packets.keyAt(2.01), await packets.keyAt(3.01)]
  if (!second || !third) throw new Error('the video is too short')
  let wanted = 0
  for await (const { data } of packets.read(second, third)) wanted += data.length
  expect(wanted).toBeGreaterThan(10_000)
  // the audio is interleaved
  expect(readBytes - before).toBeLessThan(wanted + 2 * 20_000)
  tracks.close()
})

test('a truncated file ends at the truncation', async () => {
  const { sizeBytes, read } = await rangesOfFile(
    await createClip('cut.mp4', `${x264} -c:a aac -movflags +faststart`),
  )
  const half = Math.floor(sizeBytes / 2)
  const tracks = new SourceTracks({ sizeBytes: half, read: (start, end) => read(start, Math.min(end, half)) })
  const { packets } = await tracks.video()
  expect(await packets.keyAt(5.5)).toBeNull()
  const ends = await packets.ends()
  expect(ends?.endSeconds).toBeCloseTo(6, 1)
  expect(await ends?.isLastThere()).toBe(false)
  const first = await packets.first()
  const frames = first ? await collect(packets.read(first, null)) : []
  expect(frames.length).toBeGreaterThan(20)
  expect(frames.length).toBeLessThan(130)
  tracks.close()
})
