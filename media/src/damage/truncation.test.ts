import { expect, test } from 'vitest'
import { endsClusters, endsFragments, endsOgg, statedWebmEnd, truncatedIndex } from './truncation.ts'

const header = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x84, 1, 2, 3, 4])
const segment = [0x18, 0x53, 0x80, 0x67]

test.each<[what: string, head: Buffer, end: number | undefined]>([
  ['a size of one byte', Buffer.from([...header, ...segment, 0x90]), 14 + 16],
  ['a size of eight bytes', Buffer.from([...header, ...segment, 1, 0, 0, 0, 0, 0, 2, 0]), 21 + 512],
  ['an unknown size', Buffer.from([...header, ...segment, 0xff]), undefined],
  [
    'an unknown size of eight bytes',
    Buffer.from([...header, ...segment, 1, ...Array(7).fill(0xff)]),
    undefined,
  ],
  ['half of a size', Buffer.from([...header, ...segment, 1, 0, 0]), undefined],
  ['another element', Buffer.from([...header, 1, 2, 3, 4, 0x90]), undefined],
  ['nothing', Buffer.alloc(0), undefined],
  ['zeros', Buffer.alloc(100), undefined],
])('reads the end of a WebM whose segment states %s', (_, head, end) => {
  expect(statedWebmEnd(head)).toBe(end)
})

const element = (id: number[], body: Buffer) =>
  Buffer.concat([Buffer.from([...id, 0x80 | body.length]), body])
const cluster = [0x1f, 0x43, 0xb6, 0x75]
const timestamp = element([0xe7], Buffer.from([0, 9]))
const block = element([0xa3], Buffer.alloc(40, 7))
const inside = Buffer.concat([timestamp, block, block])
const open = Buffer.concat([Buffer.from([...cluster, 0xff]), inside])
const closed = element(cluster, inside)
const like = Buffer.concat([Buffer.from([0xa3, 0x88]), Buffer.from([...cluster, 1, 2, 3, 4])])
const cues = element([0x1c, 0x53, 0xbb, 0x6b], Buffer.alloc(9))

test.each<[what: string, tail: Buffer, isWhole: boolean | undefined]>([
  ['a cluster', Buffer.concat([Buffer.alloc(99, 5), closed]), true],
  ['a cluster of unknown size', Buffer.concat([closed, open]), true],
  ['several clusters of unknown size, and cues', Buffer.concat([open, open, cues]), true],
  ['a block that contains the ID of a cluster', Buffer.concat([open, like]), true],
  ['a truncated cluster', closed.subarray(0, -1), false],
  ['a truncated frame', open.subarray(0, -1), false],
  ['a truncated cluster header', Buffer.concat([closed, closed.subarray(0, 3)]), false],
  ['zeros', Buffer.concat([open, Buffer.alloc(50)]), false],
  ['no cluster', Buffer.alloc(500, 7), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('completeness of a WebM without a stated size that ends with %s', (_, tail, isComplete) => {
  expect(endsClusters(tail)).toBe(isComplete)
})

const box = (type: string, body: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4)
  return Buffer.concat([head, body])
}
const moof = box('moof', box('mfhd', Buffer.alloc(8)))
const mdat = box('mdat', Buffer.alloc(50, 7))
const fragment = Buffer.concat([moof, mdat])
const sized = Buffer.concat([
  Buffer.from([0, 0, 0, 1]),
  Buffer.from('mdat'),
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 26]),
])

test.each<[what: string, tail: Buffer, isWhole: boolean | undefined]>([
  ['a fragment', Buffer.concat([Buffer.alloc(99, 5), fragment]), true],
  ['a fragment and an mfra', Buffer.concat([fragment, box('mfra', Buffer.alloc(40))]), true],
  ['an mdat that contains moof', Buffer.concat([moof, box('mdat', Buffer.from('....moof....'))]), true],
  ['a fragment with a 64-bit size', Buffer.concat([moof, sized, Buffer.alloc(10)]), true],
  ['a truncated fragment with a 64-bit size', Buffer.concat([moof, sized, Buffer.alloc(9)]), false],
  ['a truncated 64-bit size', Buffer.concat([moof, sized.subarray(0, 12)]), false],
  [
    'a fragment that extends to the end of the file',
    Buffer.concat([moof, Buffer.from([0, 0, 0, 0]), Buffer.from('mdat..')]),
    true,
  ],
  ['a truncated frame', fragment.subarray(0, -1), false],
  ['a truncated fragment header', Buffer.concat([fragment, moof.subarray(0, 5)]), false],
  ['a fragment without its mdat', Buffer.concat([fragment, moof.subarray(0, 20)]), false],
  ['zeros', Buffer.concat([fragment, Buffer.alloc(50)]), false],
  ['no fragment', Buffer.alloc(500, 7), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('completeness of a fragmented MP4 that ends with %s', (_, tail, isComplete) => {
  expect(endsFragments(tail)).toBe(isComplete)
})

test.each<[what: string, tail: Buffer, at: number | undefined]>([
  ['a fragment', Buffer.concat([fragment, fragment]), undefined],
  ['a truncated frame', fragment.subarray(0, -1), undefined],
  ['a truncated moof', Buffer.concat([fragment, moof.subarray(0, 20)]), fragment.length],
  ['only the header of a moof', Buffer.concat([fragment, moof.subarray(0, 8)]), fragment.length],
  ['a truncated header of a moof', Buffer.concat([fragment, moof.subarray(0, 5)]), undefined],
  ['a truncated first moof', moof.subarray(0, 20), 0],
  ['no fragment', Buffer.alloc(500, 7), undefined],
])('finds the truncated moof of an MP4 that ends with %s', (_, tail, at) => {
  expect(truncatedIndex(tail)).toBe(at)
})

/** A page with a body of this size. */
function page(flags: number, bytes: number): Buffer {
  const start = Buffer.alloc(27)
  start.write('OggS')
  start[5] = flags
  const lengths = Buffer.from([...Array(Math.floor(bytes / 255)).fill(255), bytes % 255])
  start[26] = lengths.length
  return Buffer.concat([start, lengths, Buffer.alloc(bytes, 7)])
}

test.each([
  ['a last page', Buffer.concat([page(2, 300), page(4, 600)]), true],
  ['a last page and other bytes', Buffer.concat([page(4, 600), Buffer.from('TAG')]), true],
  ['a page that is not the last', Buffer.concat([page(2, 300), page(0, 600)]), false],
  ['half of a last page', page(4, 600).subarray(0, 400), false],
  ['the beginning of a page', page(4, 600).subarray(0, 20), false],
  ['no page', Buffer.alloc(1000), false],
  ['nothing', Buffer.alloc(0), false],
])('completeness of an Ogg that ends with %s', (_, tail, isComplete) => {
  expect(endsOgg(tail)).toBe(isComplete)
})
