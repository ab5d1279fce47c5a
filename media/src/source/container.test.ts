import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sniffContainer, sniffFormat } from './container.ts'

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

const packets = (start: number, distance: number) => {
  const bytes = Buffer.alloc(600)
  for (const packet of [0, 1, 2]) bytes[start + packet * distance] = 0x47
  return bytes
}

test.each([
  ['mp4', 'mp4', ftyp('isom', 'iso2')],
  ['mov', 'mp4', ftyp('qt  ', 'isom')],
  ['mov', 'mp4', Buffer.from('\0\0\0\u0008wide\0\0\0\0mdat')],
  ['m4a', 'mp4', ftyp('M4A ', 'isom')],
  ['mkv', 'webm', ebml('matroska')],
  ['avi', undefined, Buffer.from('RIFF\0\0\0\0AVI LIST')],
  ['ts', undefined, packets(0, 188)],
  ['ts', undefined, packets(4, 192)],
  ['mp3', undefined, Buffer.from('ID3\u0004\0\0\0\0\0\0\0\0\0')],
  ['mp3', undefined, Buffer.from('fffb90640000000000000000', 'hex')],
  [undefined, undefined, Buffer.from('fff15080000000000000000000', 'hex')],
])('detects the format %s, read as %s', (format, container, bytes) => {
  expect(sniffFormat(bytes)).toBe(format)
  expect(sniffContainer(bytes)).toBe(container)
})

test.each([
  ['mp4', ftyp('isom', 'iso2')],
  ['mp4', ftyp('XAVC', 'mp42')],
  ['mp4', ftyp('mp42', '3gp4')],
  ['webm', ebml('webm')],
  ['ogg', Buffer.from('OggS\0\u0002\0\0\0\0\0\0\0\0')],
  [undefined, ftyp('avif', 'iso8', 'mif1')],
  [undefined, ftyp('3gp4', 'isom')],
  [undefined, ftyp('3g2a', 'mp42')],
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
    bytes.readUInt32BE(0) === 0x1a45dfa3 &&
    /webm|matroska/.test(bytes.toString('latin1').replaceAll('\0', '')),
  mp4: (bytes: Buffer) => bytes.toString('latin1', 4, 8) === 'ftyp',
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
