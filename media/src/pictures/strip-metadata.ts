import { inflateSync } from 'node:zlib'

/** A malformed JPEG or PNG. */
export class MalformedPicture extends Error {}

/** Each scan of a progressive JPEG is decoded over all of its pixels; encoders write about ten. */
export class TooManyScans extends Error {}

const MAX_SCANS = 100
/** The limit of an EXIF block in a JPEG. */
const MAX_EXIF_BYTES = 64 * 1024
/** Colour profiles for printing are 2 to 3 MB. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024

/**
 * Returns the picture without the metadata that decoding does not need: text, comments, previews, trailing bytes.
 * Orientation and colour profile stay. Reuses the memory of `bytes`. Formats other than JPEG and PNG are returned
 * unchanged: their decoders unpack no metadata.
 *
 * Throws `MalformedPicture`, or `TooManyScans` for a JPEG of more than a hundred scans.
 */
export function stripMetadata(bytes: Buffer): Buffer {
  if (bytes.length >= 8 && bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return stripPng(bytes)
  if (bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff) return stripJpeg(bytes)
  return bytes
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_PIXELS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'cICP'])

/** PNG (Third Edition), section 5.3: each chunk is a length, a type, the data and a checksum. */
function stripPng(bytes: Buffer): Buffer {
  const kept = new Compaction(bytes, 8)
  const seenOnce = new Set<string>()
  let at = 8
  while (at + 12 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const data = bytes.subarray(at + 8, end - 4)
    const isNeeded = PNG_PIXELS.has(type) || (!seenOnce.has(type) && isSmallMetadata(type, data))
    if (isNeeded) kept.keep(at, end)
    if (isNeeded && !PNG_PIXELS.has(type)) seenOnce.add(type)
    if (type === 'IEND') return kept.bytes()
    at = end
  }
  throw new MalformedPicture('the PNG is truncated')
}

function isSmallMetadata(type: string, data: Buffer): boolean {
  if (type === 'eXIf') return data.length <= MAX_EXIF_BYTES
  return type === 'iCCP' && isProfileSmall(data)
}

/** A name of up to 79 bytes, a zero, the compression method, then the compressed profile. */
function isProfileSmall(data: Buffer): boolean {
  const packed = data.indexOf(0) + 2
  if (packed < 2 || packed > 81) return false
  try {
    inflateSync(data.subarray(packed), { maxOutputLength: MAX_PROFILE_BYTES })
    return true
  } catch {
    // Corrupt data, or larger than the limit.
    return false
  }
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COM = 0xfe
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef

/** JPEG (ITU-T T.81, B.1): marker segments, and entropy-coded data after each start of a scan. */
function stripJpeg(bytes: Buffer): Buffer {
  const kept = new Compaction(bytes, 2)
  let scans = 0
  let hasExif = false
  let profileBytes = 0
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw new MalformedPicture('the JPEG lacks an expected marker')
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) break
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length || end < at + 4) throw new MalformedPicture('the JPEG is truncated')
    if (marker === SOS) {
      scans += 1
      if (scans > MAX_SCANS) throw new TooManyScans()
      const next = endOfScan(bytes, end)
      kept.keep(at, next)
      at = next
      continue
    }
    const content = bytes.subarray(at + 4, end)
    if (marker === APP1 && !hasExif && startsWith(content, 'Exif\0')) {
      hasExif = true
      kept.keep(at, end)
    } else if (marker === APP2 && startsWith(content, 'ICC_PROFILE\0')) {
      profileBytes += content.length
      if (profileBytes <= MAX_PROFILE_BYTES) kept.keep(at, end)
    } else if (isDecodingSegment(marker) || isColourHint(marker, content)) {
      kept.keep(at, end)
    }
    at = end
  }
  // a truncated file has no end marker, and is refused by the decoder
  if (bytes[at] === 0xff && bytes[at + 1] === EOI) kept.keep(at, at + 2)
  return kept.bytes()
}

const isDecodingSegment = (marker: number) => !(marker >= APP0 && marker <= APP15) && marker !== COM

/** JFIF and Adobe segments state the colour encoding. */
function isColourHint(marker: number, content: Buffer): boolean {
  return (
    (marker === APP0 && startsWith(content, 'JFIF\0')) || (marker === APP14 && startsWith(content, 'Adobe'))
  )
}

function startsWith(content: Buffer, text: string): boolean {
  return content.toString('latin1', 0, text.length) === text
}

/** Offset of the next marker other than restart markers and stuffed bytes. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1] ?? 0
    if (next === 0xff) at += 1
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2
    else return at
  }
  return bytes.length
}

/** Moves retained ranges to the front of the same buffer: a file may have a million chunks. */
class Compaction {
  readonly #bytes: Buffer
  #length: number

  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes
    this.#length = length
  }

  keep(start: number, end: number): void {
    if (start !== this.#length) this.#bytes.copyWithin(this.#length, start, end)
    this.#length += end - start
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
