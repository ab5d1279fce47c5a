import { expect, test } from 'vitest'
import { SampleTable, type SampleBoxes } from './sample-table.ts'

/** A box without its header: version and flags, then numbers. */
const box = (...numbers: number[]) => {
  const bytes = Buffer.alloc(4 + numbers.length * 4)
  numbers.forEach((number, i) => bytes.writeUInt32BE(number >>> 0, 4 + i * 4))
  return bytes
}

/** Six frames in three chunks; the second and the third of each half are presented in reverse order. */
const video = (): SampleBoxes => ({
  stts: box(2, 5, 10, 1, 30),
  ctts: box(5, 1, 10, 1, 20, 1, -10, 1, 10, 2, 0),
  stss: box(2, 1, 4),
  stsz: box(0, 6, 100, 20, 30, 110, 25, 35),
  stsc: box(2, 1, 1, 1, 2, 3, 1),
  stco: box(3, 1000, 5000, 9000),
})

const readAll = (boxes: SampleBoxes) => {
  const table = new SampleTable(boxes)
  return [...table.samples(0, table.count)]
}

test('returns offset, presentation time and duration of every frame', () => {
  expect(readAll(video())).toEqual([
    { number: 0, offset: 1000, size: 100, pts: 10, duration: 10, isKey: true },
    { number: 1, offset: 5000, size: 20, pts: 30, duration: 10, isKey: false },
    { number: 2, offset: 5020, size: 30, pts: 10, duration: 10, isKey: false },
    { number: 3, offset: 5050, size: 110, pts: 40, duration: 10, isKey: true },
    { number: 4, offset: 9000, size: 25, pts: 40, duration: 10, isKey: false },
    { number: 5, offset: 9025, size: 35, pts: 50, duration: 30, isKey: false },
  ])
})

test('iterates from any frame', () => {
  const frames = readAll(video())
  for (const { number } of frames)
    expect([...new SampleTable(video()).samples(number, 99)]).toEqual(frames.slice(number))
})

test('finds the keyframe on display at a time', () => {
  const table = new SampleTable(video())
  expect([9, 10, 39, 40, 1e9].map((ticks) => table.keyAt(ticks))).toEqual([undefined, 0, 0, 3, 3])
})

test('without stss every frame is a keyframe, and one size may apply to all', () => {
  const audio: SampleBoxes = {
    stts: box(2, 3, 1024, 2, 1000),
    stsz: box(7, 5),
    stsc: box(1, 1, 5, 1),
    co64: box(1, 1, 4),
  }
  const table = new SampleTable(audio)
  expect([...table.samples(0, 5)].map(({ offset, pts }) => [offset - 2 ** 32, pts])).toEqual([
    [4, 0],
    [11, 1024],
    [18, 2048],
    [25, 3072],
    [32, 4072],
  ])
  const found = [-1, 0, 1023, 1024, 3071, 3072, 4071, 4072, 1e9].map((ticks) => table.keyAt(ticks))
  expect(found).toEqual([undefined, 0, 0, 1, 2, 3, 3, 4, 4])
})

test('the first frame is a keyframe even if stss omits it', () => {
  const frames = readAll({ ...video(), stss: box(1, 4) })
  expect(frames.filter((frame) => frame.isKey).map((frame) => frame.number)).toEqual([0, 3])
})

test('an empty track has no frames', () => {
  const none = { stts: box(0), stsz: box(0, 0), stsc: box(0), stco: box(0) }
  expect(readAll(none)).toEqual([])
  expect(new SampleTable(none).keyAt(0)).toBeUndefined()
})

test.each<[string, Partial<SampleBoxes>]>([
  ['a size count above the number of entries', { stsz: box(0, 7, 100, 20, 30, 110, 25, 35) }],
  ['more times than frames', { stts: box(1, 7, 10) }],
  ['fewer chunk offsets than frames', { stco: box(2, 1000, 5000) }],
  ['missing rows', { stsc: box(1000, 1, 1, 1) }],
  ['empty chunks', { stsc: box(2, 1, 1, 1, 2, 0, 1) }],
  ['decreasing chunk numbers', { stsc: box(2, 2, 1, 1, 1, 3, 1) }],
  ['no first chunk', { stsc: box(1, 2, 6, 1) }],
  ['decreasing keyframe numbers', { stss: box(3, 1, 4, 2) }],
  ['keyframes after the end', { stss: box(2, 1, 7) }],
  ['keyframes presented out of order', { ctts: box(3, 3, 100, 1, 0, 2, 0) }],
  ['reordered frames that are all keyframes', { stss: undefined }],
  ['a frame count that overflows', { stts: box(2, 0xffff_ffff, 1, 0xffff_ffff, 1) }],
  ['an empty box', { stsz: Buffer.alloc(3) }],
])('rejects %s', (_, odd) => {
  expect(() => new SampleTable({ ...video(), ...odd })).toThrow(RangeError)
})
