import { type Chunk, type Part, Recorder } from '@kinora/live/recording/recorder.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { MediaMessage } from '@kinora/live/rtmp/server.ts'
import { audioFrame, configs, videoConfig, videoFrame } from '@kinora/live/testing/flv.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LiveChunk } from '../queries/chunks.ts'
import type { LivePart } from '../queries/parts.ts'
import {
  livePlaylist,
  lowLatencyPlaylist,
  PARTS_WITH_CHUNKS,
  type ShownParts,
  writeParts,
} from './playlists.ts'
import { microsOf } from './tracks.ts'

/** An encoder, and how it misbehaves. Times are milliseconds. */
interface Encoder {
  framesPerSecond: number
  keySeconds: number
  /** Frames that are shown before the frame that they follow. */
  bFrames: number
  /** Of the first frame: 32 bits wrap. */
  from: number
  sound: { from: number; until: number }
  /** Without frames of a track, as on a slow line that drops them. */
  pauses: { at: number; length: number; kind: 'audio' | 'video' | 'both' }[]
  /** From a time on, the clock is another one. */
  jumps: { at: number; by: number }[]
  /** When its size changes. */
  changesAt: number
}

const LENGTH_MS = 26_000

/** The messages of an encoder, in the order in which it sends them. */
function* encode(encoder: Encoder): Generator<MediaMessage> {
  const { framesPerSecond, keySeconds, bFrames, from, sound, pauses, jumps, changesAt } = encoder
  const frameMs = 1000 / framesPerSecond
  const isPaused = (kind: 'audio' | 'video', ms: number) =>
    pauses.some(
      (each) =>
        each.kind !== (kind === 'audio' ? 'video' : 'audio') && ms >= each.at && ms < each.at + each.length,
    )
  const shift = (ms: number) => from + jumps.reduce((sum, { at, by }) => sum + (ms >= at ? by : 0), 0)
  yield* configs(from)
  const groupFrames = Math.round(framesPerSecond * keySeconds)
  let sounds = 0
  let hasChanged = false
  for (let frame = 0; frame * frameMs < LENGTH_MS; frame += 1) {
    const ms = frame * frameMs
    for (; (sounds * 1024) / 48 <= ms; sounds += 1) {
      const at = Math.round((sounds * 1024) / 48)
      if (at >= sound.from && at < sound.until && !isPaused('audio', at)) yield audioFrame(at + shift(at))
    }
    if (ms >= changesAt && !hasChanged) {
      hasChanged = true
      yield { kind: 'video', timestamp: 0, body: Buffer.concat([videoConfig, Buffer.from([1])]) }
    }
    if (isPaused('video', ms)) continue
    const inGroup = frame % groupFrames
    // a frame, and then those that are shown before it
    const position = inGroup === 0 ? 0 : (inGroup - 1) % (bFrames + 1)
    const isLast = inGroup + bFrames - position >= groupFrames
    const frames = inGroup === 0 || isLast ? bFrames : position === 0 ? 2 * bFrames : bFrames - 1
    yield videoFrame(Math.round(ms) + shift(ms), inGroup === 0, Math.round(frames * frameMs))
  }
}

/** The stream as viewers could see it after each chunk and part. */
async function record(encoder: Encoder): Promise<ShownParts[]> {
  const states: ShownParts[] = []
  const now: ShownParts & { parts: LivePart[]; chunks: LiveChunk[] } = {
    parts: [],
    endedAt: null,
    keepsRecording: true,
    droppedParts: 0,
    droppedSounds: 0,
    sounds: 0,
    chunks: [],
  }
  const show = () => states.push({ ...now, parts: [...now.parts], chunks: [...now.chunks] })
  const receivedAt = new Date('2026-05-02T08:15:32.000Z')
  const recorder = new Recorder({
    maxBitsPerSecond: 1e9,
    onBegin: async () => undefined,
    onChunk: async ({ part, chunk, audio, ...times }: Chunk) => {
      now.chunks.push({ part, chunk, ...microsOf(times), receivedAt, hasAudio: audio !== undefined })
      show()
    },
    onPart: async ({ index, video, audio, isResumed, ...times }: Part) => {
      const audioBytes = audio?.length ?? 0
      const place = { file: 0, position: 0, videoBytes: video.length, audioBytes }
      now.parts.push({ part: index, ...microsOf(times), ...place, receivedAt, isResumed })
      if (audioBytes > 0) now.sounds += 1
      now.chunks = now.chunks.filter(({ part }) => part >= index - PARTS_WITH_CHUNKS)
      show()
    },
  })
  try {
    for (const message of encode(encoder)) await recorder.receive(message)
  } catch (error) {
    if (!(error instanceof StreamEnded)) throw error
  }
  await recorder.finish().catch(() => undefined)
  return states
}

interface Listed {
  uri: string
  seconds: number
}

interface Segment extends Listed {
  chunks: (Listed & { isIndependent: boolean })[]
}

interface Playlist {
  lines: string[]
  values: Record<string, string>
  segments: Segment[]
  /** Of the segment that is not complete. */
  growing: Segment['chunks']
  hint: string | undefined
}

function textOf(stream: ShownParts, track: string, isDelta = false): string {
  const written = writeParts(stream, track, undefined, Math.max(0, stream.parts.length - PARTS_WITH_CHUNKS))
  return lowLatencyPlaylist(stream, track, written, { isDelta }) ?? livePlaylist(stream, track)
}

function parse(text: string): Playlist {
  const lines = text.split('\n')
  const values: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([A-Z-]+)[:=]([\d.]+)/g)) values[name] ??= value
  const segments: Segment[] = []
  let growing: Segment['chunks'] = []
  let seconds = 0
  for (const line of lines) {
    const chunk = /^#EXT-X-PART:DURATION=([\d.]+),URI="([\d.]+m4s)"(,INDEPENDENT=YES)?$/.exec(line)
    if (chunk)
      growing.push({ uri: chunk[2] ?? '', seconds: Number(chunk[1]), isIndependent: chunk[3] !== undefined })
    seconds = Number(/^#EXTINF:([\d.]+),$/.exec(line)?.[1] ?? seconds)
    if (!/^\d+\.m4s$/.test(line)) continue
    segments.push({ uri: line, seconds, chunks: growing })
    growing = []
  }
  const [, hint] = /PRELOAD-HINT:TYPE=PART,URI="([\d.]+m4s)"/.exec(text) ?? []
  return { lines, values, segments, growing, hint }
}

/** Rounding to microseconds. */
const EPSILON = 1e-5

/** Rules of draft-pantos-hls-rfc8216bis for one playlist. */
function expectValid({ values, segments, growing, lines }: Playlist, isSteady: boolean): void {
  expect(values['EXT-X-TARGETDURATION']).toBe('12')
  expect(values['EXT-X-MEDIA-SEQUENCE']).toBe('0')
  for (const { seconds } of segments) expect(Math.round(seconds)).toBeLessThanOrEqual(12)
  const chunks = [...segments.flatMap((segment) => segment.chunks), ...growing]
  if (chunks.length === 0) return
  // 4.4.4.9
  const target = Number(values['PART-TARGET'])
  for (const { seconds } of chunks) {
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(target)
  }
  if (isSteady)
    for (const own of [...segments.map((segment) => segment.chunks), growing])
      for (const { seconds, isIndependent } of own.slice(0, -1))
        if (!isIndependent) expect(seconds).toBeGreaterThanOrEqual(0.85 * target)
  // 4.4.3.8
  expect(Number(values['PART-HOLD-BACK'])).toBeGreaterThan(3 * target - EPSILON)
  expect(Number(values['CAN-SKIP-UNTIL'])).toBeGreaterThanOrEqual(6 * 12)
  for (const { seconds, chunks: own } of segments) {
    const sum = own.reduce((total, chunk) => total + chunk.seconds, 0)
    if (own.length > 0) expect(Math.abs(sum - seconds)).toBeLessThan(EPSILON * own.length)
  }
  expect(lines.at(-2)).toContain('#EXT-X-PRELOAD-HINT')
}

const find = (playlist: Playlist) =>
  new Map(
    [...playlist.segments.flatMap((segment) => segment.chunks), ...playlist.growing].map((chunk) => [
      chunk.uri,
      chunk,
    ]),
  )

/** Rules for a playlist and the next one (section 6.2.1): it only grows, and the hint names what comes. */
function expectContinues(before: Playlist, now: Playlist, isOrdered: boolean): void {
  expect(now.segments.slice(0, before.segments.length).map(({ uri, seconds }) => ({ uri, seconds }))).toEqual(
    before.segments.map(({ uri, seconds }) => ({ uri, seconds })),
  )
  const [known, found] = [find(before), find(now)]
  for (const [uri, chunk] of known) if (found.has(uri)) expect(found.get(uri)).toEqual(chunk)
  // chunks stay until their part is behind the last ones
  const completed = now.segments[before.segments.length]
  // frames in another order: viewers get the rest as a whole segment
  if (!isOrdered && completed?.chunks.length === 0) return
  const grown = completed ? completed.chunks : now.growing
  expect(grown.slice(0, before.growing.length)).toEqual(before.growing)
  const next = grown[before.growing.length]
  if (before.hint !== undefined && next) expect(next.uri).toBe(before.hint)
}

/** Checks each playlist that viewers of a stream could load. Returns how many had chunks. */
async function check(encoder: Encoder): Promise<number> {
  const states = await record(encoder)
  const { jumps, pauses, bFrames, framesPerSecond } = encoder
  const isOrdered = jumps.length === 0
  // chunks end between groups of B-frames
  const isSteady = isOrdered && pauses.length === 0 && bFrames === 0 && framesPerSecond >= 24
  let count = 0
  for (const track of ['source', 'audio-0']) {
    let before: Playlist | undefined
    for (const state of states) {
      const now = parse(textOf(state, track))
      expectValid(now, isSteady && track === 'source')
      if (before) expectContinues(before, now, isOrdered)
      const delta = parse(textOf(state, track, true))
      const skipped = Number(delta.values['SKIPPED-SEGMENTS'] ?? 0)
      expect(delta.segments).toEqual(now.segments.slice(skipped))
      if (now.hint !== undefined) count += 1
      before = now
    }
  }
  return count
}

const good: Encoder = {
  framesPerSecond: 25,
  keySeconds: 2,
  bFrames: 0,
  from: 0,
  sound: { from: 0, until: LENGTH_MS },
  pauses: [],
  jumps: [],
  changesAt: LENGTH_MS,
}

test.each<[string, Partial<Encoder>]>([
  ['keyframes ten seconds apart', { keySeconds: 10 }],
  ['B-frames', { bFrames: 3 }],
  ['30 frames a second, whose times are rounded', { framesPerSecond: 30, bFrames: 2 }],
  ['a clock that wraps', { from: 2 ** 32 - 7300 }],
  [
    'clocks that jump',
    {
      jumps: [
        { at: 5000, by: 3_600_000 },
        { at: 9100, by: -5000 },
        { at: 15_300, by: 4000 },
      ],
    },
  ],
  ['sound that starts late', { sound: { from: 2500, until: LENGTH_MS } }],
  ['sound that starts after the first part', { sound: { from: 5500, until: LENGTH_MS } }],
  ['sound that stops', { sound: { from: 0, until: 9300 } }],
  ['sound that stops for a while', { pauses: [{ at: 6700, length: 4600, kind: 'audio' }] }],
  [
    'a slow line that drops frames',
    {
      pauses: [
        { at: 4900, length: 700, kind: 'both' },
        { at: 9300, length: 3300, kind: 'video' },
      ],
    },
  ],
  ['another size', { changesAt: 13_300 }],
])('lists chunks of a stream with %s as RFC 8216bis says', async (_, changes) => {
  expect(await check({ ...good, ...changes })).toBeGreaterThan(20)
})

const time = fc.nat(LENGTH_MS)
const encoders: fc.Arbitrary<Encoder> = fc.record({
  framesPerSecond: fc.constantFrom(5, 12, 24, 25, 29.97, 30, 50, 60),
  keySeconds: fc.constantFrom(0.5, 1, 2, 3.3, 5, 10),
  bFrames: fc.nat(4),
  from: fc.constantFrom(0, 40, 2 ** 31 - 9000, 2 ** 32 - 9000),
  sound: fc.record({ from: fc.oneof(fc.constant(0), time), until: fc.oneof(fc.constant(LENGTH_MS), time) }),
  pauses: fc.array(
    fc.record({ at: time, length: fc.nat(6000), kind: fc.constantFrom('audio', 'video', 'both') }),
    { maxLength: 3 },
  ),
  jumps: fc.array(fc.record({ at: time, by: fc.integer({ min: -90_000, max: 90_000 }) }), { maxLength: 3 }),
  changesAt: fc.oneof({ weight: 3, arbitrary: fc.constant(LENGTH_MS) }, { weight: 1, arbitrary: time }),
})

for (const numRuns of [40, 300])
  test(
    `keeps the promises of its playlists, whatever the encoder sends (${numRuns} cases)`,
    nightlyUnless(numRuns === 40),
    async () => {
      await fc.assert(
        fc.asyncProperty(encoders, async (encoder) => {
          expect(await check(encoder)).toBeGreaterThanOrEqual(0)
        }),
        { numRuns },
      )
    },
  )
