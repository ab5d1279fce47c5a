import { expect, test } from 'vitest'
import {
  findBox,
  FRAME_BYTES,
  FragmentReader,
  SEGMENT_BYTES,
  writeSegment,
  type Fragment,
  type Sample,
} from './fmp4.ts'

const sample = (pts: number, text: string, isKey = false): Sample => ({ pts, isKey, data: Buffer.from(text) })

function read(bytes: Buffer, chunkSize: number): Fragment[] {
  const fragments: Fragment[] = []
  const reader = new FragmentReader((fragment) => fragments.push(fragment))
  for (let at = 0; at < bytes.length; at += chunkSize) reader.push(bytes.subarray(at, at + chunkSize))
  return fragments
}

test.each([1, 7, 100_000])('reads its own output in chunks of %i bytes', (chunkSize) => {
  const first = [sample(1000, 'key', true), sample(4000, 'p'), sample(2000, 'bb'), sample(3000, 'b')]
  const second = [sample(5000, 'next', true)]
  const bytes = Buffer.concat([writeSegment(1, first, 5000), writeSegment(2, second, 6000)])
  const fragments = read(bytes, chunkSize)
  expect(fragments.map(({ samples }) => samples.map(({ pts, isKey }) => [pts, isKey]))).toEqual([
    [
      [1000, true],
      [4000, false],
      [2000, false],
      [3000, false],
    ],
    [[5000, true]],
  ])
  expect(fragments[0]?.samples.map(({ data }) => Buffer.from(data).toString())).toEqual([
    'key',
    'p',
    'bb',
    'b',
  ])
})

test('no frame lasts beyond its segment, also if it is decoded before a pause and shown after it', () => {
  const bytes = writeSegment(
    1,
    [sample(0, 'key', true), sample(4000, 'p'), sample(1000, 'b'), sample(4500, 'p')],
    5000,
  )
  const [fragment] = read(bytes, bytes.length)
  expect(fragment?.samples.map(({ pts }) => pts)).toEqual([0, 4000, 1000, 4500])
  expect(readDurations(bytes)).toEqual([1000, 1000, 2500, 500])
})

/** Durations of the samples of a segment that begins with its only keyframe, and whose samples are out of order. */
function readDurations(bytes: Buffer): number[] {
  const run = findBox(bytes, 'moof/traf/trun')
  if (!run) throw new Error('segment without samples')
  const samples = run.content + 16
  return Array.from({ length: bytes.readUInt32BE(run.content + 4) }, (_, i) =>
    bytes.readUInt32BE(samples + 12 * i),
  )
}

test('the bytes of a segment depend only on its frames', () => {
  const frames = [sample(1000, 'key', true), sample(3000, 'p'), sample(2000, 'b')]
  expect(writeSegment(4, frames, 4000)).toEqual(writeSegment(4, structuredClone(frames), 4000))
})

test('states once what all frames have in common', () => {
  const frames = (isKey: (frame: number) => boolean, ptsOf: (frame: number) => number) =>
    Array.from({ length: 100 }, (_, frame) => sample(ptsOf(frame), 'x', isKey(frame)))
  const sizeOf = (samples: Sample[], endTicks = 10_000) => writeSegment(1, samples, endTicks).length
  const even = (frame: number) => frame * 100
  // one byte of data and the size of each frame
  expect(sizeOf(frames(() => true, even))).toBeLessThan(110 + 100 * 5)
  expect(sizeOf(frames((frame) => frame === 0, even))).toBeLessThan(110 + 100 * 5)
  // its duration and its flags too
  expect(sizeOf(frames((frame) => frame % 50 === 0, even))).toBeGreaterThan(100 * 9)
  expect(
    sizeOf(
      frames(
        () => true,
        (frame) => frame * 100 + (frame % 2),
      ),
    ),
  ).toBeGreaterThan(100 * 9)
  for (const samples of [
    frames(() => true, even),
    frames((frame) => frame === 0, even),
    frames((frame) => frame % 50 === 0, even),
    frames(
      (frame) => frame === 0,
      (frame) => frame * 100 + (frame % 3),
    ),
    frames(
      (frame) => frame === 0,
      (frame) => (frame % 2 === 0 ? frame : Math.min(99, frame + 2)) * 100,
    ),
  ]) {
    const bytes = writeSegment(1, samples, 10_000)
    const [fragment] = read(bytes, 1000)
    expect(fragment?.samples.map(({ pts, isKey }) => [pts, isKey])).toEqual(
      samples.map(({ pts, isKey }) => [pts, isKey]),
    )
    expect(bytes.length).toBeLessThanOrEqual(SEGMENT_BYTES + samples.length * (FRAME_BYTES + 1))
  }
})
