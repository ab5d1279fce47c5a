import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sniffContainer } from './container.ts'

const ftyp = (...brands: string[]) => {
  const [major = '', ...compatible] = brands
  const box = Buffer.alloc(16 + compatible.length * 4)
  box.writeUInt32BE(box.length, 0)
  box.write('ftyp', 4)
  box.write(major, 8)
  compatible.forEach((brand, i) => box.write(brand, 16 + i * 4))
  return box
}
const ebml = (docType: string) =>
  Buffer.from([
    0x1a,
    0x45,
    0xdf,
    0xa3,
    0x8f,
    0x42,
    0x82,
    0x80 | docType.length,
    ...Buffer.from(docType),
    0,
    0,
    0,
    0,
  ])

test.each([
  ['mp4', ftyp('isom', 'iso2')],
  ['mp4', ftyp('XAVC', 'mp42')],
  ['mp4', ftyp('mp42', '3gp4')],
  ['webm', ebml('webm')],
  ['ogg', Buffer.from('OggS\0\u0002\0\0\0\0\0\0\0\0')],
  [undefined, ftyp('qt  ', 'isom')],
  [undefined, ftyp('avif', 'iso8', 'mif1')],
  [undefined, ftyp('3gp4', 'isom')],
  [undefined, ftyp('3g2a', 'mp42')],
  [undefined, ebml('matroska')],
  [undefined, Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n')],
  [undefined, Buffer.from('<!doctype html><script>')],
  [undefined, Buffer.alloc(0)],
])('detects %s', (container, bytes) => {
  expect(sniffContainer(bytes)).toBe(container)
})

const heads = [
  ftyp('isom', 'iso2'),
  ftyp('qt  ', 'isom'),
  ebml('webm'),
  ebml('matroska'),
  Buffer.from('OggS'),
]
const strangeHead = fc
  .tuple(fc.constantFrom(Buffer.alloc(0), ...heads), fc.nat(40), fc.uint8Array({ maxLength: 80 }))
  .map(([head, kept, rest]) => Buffer.concat([head.subarray(0, kept), rest]))

const begins = {
  ogg: (bytes: Buffer) => bytes.toString('latin1', 0, 4) === 'OggS',
  webm: (bytes: Buffer) =>
    bytes.readUInt32BE(0) === 0x1a45dfa3 && bytes.toString('latin1').replaceAll('\0', '').includes('webm'),
  mp4: (bytes: Buffer) =>
    bytes.toString('latin1', 4, 8) === 'ftyp' && bytes.toString('latin1', 8, 12) !== 'qt  ',
}

test('detects a container only by its magic bytes', () => {
  fc.assert(
    fc.property(strangeHead, (bytes) => {
      const container = sniffContainer(bytes)
      expect(container === undefined || begins[container](bytes)).toBe(true)
      // independent of the offset in memory
      expect(sniffContainer(Buffer.concat([Buffer.alloc(3), bytes]).subarray(3))).toBe(container)
    }),
    { numRuns: 2000 },
  )
})
