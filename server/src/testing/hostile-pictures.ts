import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}

/** A PNG of one colour; `ancillary` stands before its pixels. */
export function drawPng(width: number, height: number, ancillary: readonly Uint8Array[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...ancillary,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk of packed text that unpacks to `megabytes`. */
export function packedText(type: 'zTXt' | 'iTXt' | 'iCCP', megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024))
  const heads = { zTXt: 'Comment\0\0', iTXt: 'Comment\0\u0001\0\0\0', iCCP: 'Profile\0\0' }
  return pngChunk(type, Buffer.concat([Buffer.from(heads[type]), packed]))
}

/** A progressive JPEG whose last scan comes again and again. */
export async function drawJpegOfScans(side: number, scans: number): Promise<Buffer> {
  const create = { width: side, height: side, channels: 3, background: 'tomato' } as const
  const bytes = await sharp({ create }).jpeg({ progressive: true }).toBuffer()
  const start = bytes.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = bytes.subarray(start, -2)
  const before = bytes.subarray(0, start)
  let own = 0
  for (let at = before.indexOf(SOS); at >= 0; at = before.indexOf(SOS, at + 2)) own += 1
  return Buffer.concat([before, ...Array.from({ length: scans - own }, () => scan), bytes.subarray(-2)])
}

const SOS = Buffer.from([0xff, 0xda])
