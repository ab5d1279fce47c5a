import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { expect, test } from 'vitest'
import { findBox } from './fmp4.ts'
import { Mp4Writer } from './mp4-writer.ts'

const RATE = 48_000
const FRAME = 1024

/** An init segment with one AAC track. */
async function initOfSound(): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target })
  const source = new EncodedAudioPacketSource('aac')
  output.addAudioTrack(source)
  await output.start()
  const description = new Uint8Array([0x11, 0x90])
  const decoderConfig = { codec: 'mp4a.40.2', sampleRate: RATE, numberOfChannels: 2, description }
  await source.add(new EncodedPacket(new Uint8Array(4), 'key', 0, FRAME / RATE), { decoderConfig })
  await output.finalize()
  const bytes = Buffer.from(target.buffer ?? new ArrayBuffer())
  return bytes.subarray(0, findBox(bytes, 'moov')?.end)
}

/** A file of frames that begin at a time. */
async function write(startTicks: number, frameBytes: number): Promise<Buffer[]> {
  const writer = new Mp4Writer(await initOfSound())
  const samples = Array.from({ length: 50 }, (_, i) => ({
    pts: startTicks + i * FRAME,
    isKey: true,
    data: new Uint8Array(frameBytes),
  }))
  return [...writer.add(0, samples, startTicks + 50 * FRAME), ...writer.end()]
}

test.for([0, RATE / 2])('states when a track begins: at %i ticks', async (startTicks) => {
  using input = new Input({
    source: new BufferSource(Buffer.concat(await write(startTicks, 10))),
    formats: [MP4],
  })
  const track = await input.getPrimaryAudioTrack()
  const endSeconds = (startTicks + 50 * FRAME) / RATE
  expect(await track?.getFirstTimestamp()).toBeCloseTo(startTicks / RATE, 2)
  expect(await track?.computeDuration()).toBeCloseTo(endSeconds, 2)
})

test('returns large parts in chunks', async () => {
  const chunks = await write(0, 300_000)
  expect(chunks.length).toBeGreaterThan(10)
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1.5 * 2 ** 20)
})
