import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readTheoraFrames } from './theora.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'kinora-theora-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const SHIFT = 6
const NONE = -1n

function read(bytes: Buffer, wantedFrames = 1000) {
  const file = path.join(directory, 'video.ogv')
  writeFileSync(file, bytes)
  return readTheoraFrames(file, wantedFrames)
}

/** The header of a video of 25 frames per second. */
function identification(version = 0x030201): Buffer {
  const packet = Buffer.alloc(42)
  packet.write('\x80theora', 'latin1')
  packet.writeUIntBE(version, 7, 3)
  packet.writeUInt32BE(25, 22)
  packet.writeUInt32BE(1, 26)
  packet.writeUInt16BE(SHIFT << 5, 40)
  return packet
}

type Frame = { isKey: boolean; sizeBytes: number }

const frame = ({ isKey, sizeBytes }: Frame) => Buffer.alloc(sizeBytes, isKey ? 0x30 : 0x70)

class Stream {
  readonly #serial: number
  #sequence = 0

  constructor(serial: number) {
    this.#serial = serial
  }

  page(flags: number, granule: bigint, lengths: number[], body: Buffer): Buffer {
    const head = Buffer.alloc(27)
    head.write('OggS')
    head[5] = flags
    head.writeBigInt64LE(granule, 6)
    head.writeUInt32LE(this.#serial, 14)
    head.writeUInt32LE(this.#sequence++, 18)
    head[26] = lengths.length
    return Buffer.concat([head, Buffer.from(lengths), body])
  }

  /** Packets that fill their pages, each page with at most this many lacing values. */
  pages(packets: { bytes: Buffer; granule: bigint }[], mostPieces: number, flags = 0): Buffer[] {
    const pieces = packets.flatMap(({ bytes, granule }) =>
      Array.from({ length: Math.floor(bytes.length / 255) + 1 }, (_, i) => {
        const piece = bytes.subarray(i * 255, (i + 1) * 255)
        return { piece, granule: piece.length < 255 ? granule : NONE, isFirst: i === 0 }
      }),
    )
    const pages: Buffer[] = []
    for (let at = 0; at < pieces.length; at += mostPieces) {
      const here = pieces.slice(at, at + mostPieces)
      const granule = here.findLast((each) => each.granule !== NONE)?.granule ?? NONE
      const all = (here[0]?.isFirst ? 0 : 1) | flags
      pages.push(
        this.page(
          all,
          granule,
          here.map(({ piece }) => piece.length),
          Buffer.concat(here.map(({ piece }) => piece)),
        ),
      )
    }
    return pages
  }
}

/** The pages of a video with audio, as a muxer would write them. */
function oggPages(frames: Frame[], mostPieces: number, firstNumber = 1): Buffer[] {
  const [video, audio] = [new Stream(7), new Stream(8)]
  let key = 0
  const packets = frames.map((each, i) => {
    if (each.isKey) key = firstNumber + i
    return { bytes: frame(each), granule: (BigInt(key) << BigInt(SHIFT)) | BigInt(firstNumber + i - key) }
  })
  const pictures = [
    ...video.pages([{ bytes: identification(), granule: 0n }], 255, 2),
    ...video.pages(
      [
        { bytes: Buffer.from('\x81theora', 'latin1'), granule: 0n },
        { bytes: Buffer.alloc(3000), granule: 0n },
      ],
      255,
    ),
    ...video.pages(packets, mostPieces),
  ]
  const last = pictures.at(-1)
  last?.writeUInt8((last[5] ?? 0) | 4, 5)
  const [begin, ...others] = audio.pages(
    [Buffer.from('\x01vorbis'), ...pictures.slice(3).map(() => Buffer.alloc(300))].map((bytes) => ({
      bytes,
      granule: 9n,
    })),
    1,
  )
  begin?.writeUInt8(2, 5)
  const [first, ...rest] = pictures
  return [first, begin, ...rest.flatMap((page, i) => [page, others[i]])].filter((page) => page !== undefined)
}

const frames = fc
  .array(fc.record({ isKey: fc.boolean(), sizeBytes: fc.integer({ min: 1, max: 1200 }) }), {
    minLength: 1,
    // the maximum distance of keyframes that the granule shift can express
    maxLength: 2 ** SHIFT,
  })
  .map(([first, ...rest]) => [{ sizeBytes: 1, ...first, isKey: true }, ...rest])
const mostPieces = fc.integer({ min: 1, max: 255 })

test('counts every frame, however packets are split into pages', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(frames, mostPieces, fc.integer({ min: 1, max: 1e9 }), (all, most, firstNumber) => {
      const theora = read(Buffer.concat(oggPages(all, most, firstNumber)))
      expect(theora).toMatchObject({
        framesPerSecond: 25,
        firstNumber,
        lastNumber: firstNumber + all.length - 1,
      })
      expect(theora?.first).toEqual(all.map(({ sizeBytes }, i) => ({ number: firstNumber + i, sizeBytes })))
      const keys = all.flatMap(({ isKey }, i) => (isKey ? [firstNumber + i] : []))
      expect(keys).toEqual(expect.arrayContaining(theora?.keyNumbers ?? []))
      expect(theora?.keyNumbers).toEqual(theora?.keyNumbers.toSorted((a, b) => a - b))
      expect(theora?.keyNumbers[0]).toBe(firstNumber)
      const hasAllKeyframes = most > 1 || theora?.keyNumbers.length === keys.length
      expect(hasAllKeyframes).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('reads a truncated video up to its last complete page', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(frames, mostPieces, fc.nat(), (all, most, cut) => {
      const pages = oggPages(all, most)
      const bytes = Buffer.concat(pages)
      const kept = bytes.subarray(0, cut % bytes.length)
      const theora = read(kept)
      const whole = read(bytes)
      expect(theora?.lastNumber ?? 0).toBeLessThanOrEqual(all.length)
      const first = theora?.first ?? []
      expect(whole?.first.slice(0, first.length)).toEqual(first)
      // the truncated frames are on the last page or after it
      let at = 0
      const left = pages.filter((page) => (at += page.length) <= kept.length)
      expect(theora).toEqual(read(Buffer.concat(left)))
    }),
    { numRuns: 40 },
  )
})

test('terminates on arbitrary bytes, and returns no frame without an offset', { timeout: 60_000 }, () => {
  const places = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 })
  fc.assert(
    fc.property(frames, mostPieces, places, (all, most, changes) => {
      const bytes = Buffer.concat(oggPages(all, most))
      for (const [place, value] of changes) bytes[place % bytes.length] = value
      const theora = read(bytes)
      if (!theora) return
      expect(theora.lastNumber - theora.firstNumber).toBeLessThan(bytes.length)
      expect(theora.keyNumbers).toEqual([...new Set(theora.keyNumbers)].toSorted((a, b) => a - b))
      expect(theora.keyNumbers.at(-1)).toBeLessThanOrEqual(theora.lastNumber)
    }),
    { numRuns: 120 },
  )
})

const some = (count: number): Frame[] =>
  Array.from({ length: count }, (_, i) => ({ isKey: i % 10 === 0, sizeBytes: 500 }))

test('skips the bodies of pages larger than the read-ahead', () => {
  const large = some(60).map((each) => ({ ...each, sizeBytes: 60_000 }))
  expect(read(Buffer.concat(oggPages(large, 255)), 5)).toMatchObject({
    lastNumber: 60,
    keyNumbers: [1, 11, 21, 31, 41, 51],
    first: [1, 2, 3, 4, 5].map((number) => ({ number, sizeBytes: 60_000 })),
  })
})

test('ignores bytes after the last page', () => {
  const bytes = Buffer.concat([...oggPages(some(40), 8), Buffer.from('TAG and more of it')])
  expect(read(bytes)).toMatchObject({ lastNumber: 40 })
})

const whole = oggPages(some(40), 8)
const pictures = whole.flatMap((page, i) => (page.readUInt32LE(14) === 7 ? [i] : []))
const [, , , , , middle = 0] = pictures
/** The same page, of another stream. */
const another = Buffer.from(whole[0] ?? [])
another.writeUInt32LE(9, 14)
const changed = (page: number, change: (page: Buffer) => void) =>
  whole.map((each, i) => {
    const copy = Buffer.from(each)
    if (i === page) change(copy)
    return copy
  })

test.each([7, 9, 123])(
  'reads the first of several chained videos, whatever the serial number of the next: %i',
  (serial) => {
    const next = whole.map((page) => Buffer.from(page))
    for (const page of next) page.writeUInt32LE(page.readUInt32LE(14) === 7 ? serial : serial + 1, 14)
    const first = Buffer.concat(whole)
    const chained = read(Buffer.concat([first, ...next]))
    expect(chained).toEqual({ ...read(first), linkEnd: first.length })
  },
)

test.each<[what: string, pages: Buffer[]]>([
  ['no pages', []],
  ['other content', [Buffer.alloc(500, 1)]],
  ['two video streams', [another, ...whole]],
  ['missing pages', whole.toSpliced(middle, 2)],
  ['a gap within a page', changed(middle, (page) => page.fill(0, 0, 40))],
  ['a frame that is shown for longer', changed(middle, (page) => page.writeUInt8((page[6] ?? 0) + 1, 6))],
  ['an old version', changed(0, (page) => page.writeUIntBE(0x030200, 28 + 7, 3))],
  ['no frame rate', changed(0, (page) => page.writeUInt32BE(0, 28 + 22))],
  ['an unknown audio codec', changed(1, (page) => page.write('unknown', 28))],
  ['a start in the middle', oggPages([{ isKey: false, sizeBytes: 9 }, ...some(9)], 8)],
])('does not read an Ogg with %s', (_, pages) => {
  expect(read(Buffer.concat(pages))).toBeUndefined()
})
