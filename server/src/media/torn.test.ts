import { expect, test } from 'vitest'
import { endsOgg, statedWebmEnd } from './torn.ts'

const header = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x84, 1, 2, 3, 4])
const segment = [0x18, 0x53, 0x80, 0x67]

test.each<[what: string, head: Buffer, end: number | undefined]>([
  ['one byte', Buffer.from([...header, ...segment, 0x90]), 14 + 16],
  ['eight bytes', Buffer.from([...header, ...segment, 1, 0, 0, 0, 0, 0, 2, 0]), 21 + 512],
  ['none, for it is sent while it is made', Buffer.from([...header, ...segment, 0xff]), undefined],
  ['none, in eight bytes', Buffer.from([...header, ...segment, 1, ...Array(7).fill(0xff)]), undefined],
  ['half of one', Buffer.from([...header, ...segment, 1, 0, 0]), undefined],
  ['no such thing', Buffer.from([...header, 1, 2, 3, 4, 0x90]), undefined],
  ['nothing', Buffer.alloc(0), undefined],
  ['zeros', Buffer.alloc(100), undefined],
])('the end of a WebM whose segment states %s', (_, head, end) => {
  expect(statedWebmEnd(head)).toBe(end)
})

/** A page of a body of so many bytes. */
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
  ['a last page, and something else', Buffer.concat([page(4, 600), Buffer.from('TAG')]), true],
  ['a page that is not the last', Buffer.concat([page(2, 300), page(0, 600)]), false],
  ['the half of a last page', page(4, 600).subarray(0, 400), false],
  ['the beginning of a page', page(4, 600).subarray(0, 20), false],
  ['no page', Buffer.alloc(1000), false],
  ['nothing', Buffer.alloc(0), false],
])('an Ogg that ends with %s', (_, tail, isWhole) => {
  expect(endsOgg(tail)).toBe(isWhole)
})
