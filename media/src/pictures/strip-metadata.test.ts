import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawJpegOfScans, drawPng, packedText, pngChunk } from '../testing/hostile-pictures.ts'
import { MalformedPicture, stripMetadata, TooManyScans } from './strip-metadata.ts'

const strip = (bytes: Uint8Array) => stripMetadata(Buffer.from(bytes))

const create = { width: 60, height: 40, channels: 3, background: 'tomato' } as const
const tagged = (format: 'jpeg' | 'png') =>
  sharp({ create })
    .toFormat(format)
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">a secret place</x:xmpmeta>')
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .toBuffer()

test.each(['jpeg', 'png'] as const)('keeps orientation, profile and pixels of a %s', async (format) => {
  const bytes = await tagged(format)
  const stripped = strip(bytes)
  const before = await sharp(bytes).metadata()
  const after = await sharp(stripped).metadata()
  expect(before.xmp).toBeDefined()
  expect([after.orientation, after.icc, after.xmp]).toEqual([6, before.icc, undefined])
  expect(await sharp(stripped).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer())
})

test('drops text, animation and unknown chunks and trailing bytes of a PNG', () => {
  const plain = drawPng(8, 8)
  const extra = ['tEXt', 'acTL', 'fcTL', 'fdAT', 'tIME', 'abCD'].map((type) =>
    pngChunk(type, Buffer.alloc(9)),
  )
  const bytes = drawPng(8, 8, [packedText('zTXt', 1), packedText('iTXt', 1), ...extra])
  expect(strip(Buffer.concat([bytes, Buffer.from('behind the end')]))).toEqual(plain)
})

test('drops oversized colour profiles and EXIF blocks', () => {
  const long = pngChunk('eXIf', Buffer.alloc(100_000))
  expect(strip(drawPng(8, 8, [packedText('iCCP', 5), long]))).toEqual(drawPng(8, 8))
})

test('drops comments, previews and unknown segments of a JPEG', async () => {
  const plain = await sharp({ create }).jpeg().toBuffer()
  const segment = (marker: number, text: string) => {
    const bytes = Buffer.from(`\xff${String.fromCharCode(marker)}\0\0${text}`, 'latin1')
    bytes.writeUInt16BE(bytes.length - 2, 2)
    return bytes
  }
  const extra = [
    segment(0xfe, 'a comment'),
    segment(0xe2, 'MPF\0'),
    segment(0xed, 'Photoshop 3.0'),
    segment(0xe0, 'JFXX\0'),
  ]
  const bytes = Buffer.concat([plain.subarray(0, 2), ...extra, plain.subarray(2), Buffer.from('a trailer')])
  expect(strip(bytes)).toEqual(plain)
})

test('keeps restart markers and stuffed bytes within a scan', async () => {
  const noise = {
    width: 300,
    height: 300,
    channels: 3,
    background: 'red',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  } as const
  const bytes = await sharp({ create: noise }).jpeg({ quality: 100, progressive: true }).toBuffer()
  expect(strip(bytes)).toEqual(bytes)
})

test('accepts at most a hundred scans', async () => {
  const most = await drawJpegOfScans(64, 100)
  expect(strip(most)).toEqual(most)
  const bytes = await drawJpegOfScans(64, 101)
  expect(() => strip(bytes)).toThrow(TooManyScans)
})

test.each([
  ['a PNG without an end', drawPng(8, 8).subarray(0, -12)],
  [
    'a chunk that is longer than the file',
    Buffer.concat([drawPng(8, 8).subarray(0, 8), Buffer.alloc(20, 0x7f)]),
  ],
  ['a JPEG segment that is longer than the file', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0])],
  ['a JPEG segment without a length', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0])],
  ['a JPEG with garbage between segments', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 7, 7, 7, 7])],
])('rejects %s', (_, bytes) => {
  expect(() => strip(bytes)).toThrow(MalformedPicture)
})

test('returns other formats unchanged', async () => {
  const bytes = await sharp({ create }).webp().toBuffer()
  expect(strip(bytes)).toEqual(bytes)
})
