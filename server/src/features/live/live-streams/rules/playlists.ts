import { MAX_SEGMENT_SECONDS } from '@kinora/live/recording/recorder.ts'
import type { LiveChunk } from '../queries/chunks.ts'
import type { LivePart } from '../queries/parts.ts'
import { isEncoded, segmentsOfTrack, SOUND } from './tracks.ts'

/** Number of segments that a track has had: the media sequence number of the next one. */
export function countSegments(stream: ShownParts, track: string): number {
  if (track === SOUND) return stream.droppedSounds + stream.sounds
  return stream.droppedParts + countListed(stream, track)
}

/** Number of parts that a playlist lists. The newest one of a rendition is being encoded while players load the one before. */
const countListed = ({ parts, endedAt }: ShownParts, track: string): number =>
  isEncoded(track) && endedAt === null && parts.length > 1 ? parts.length - 1 : parts.length

/** Position for which a player waits, and whether it knows the earlier segments (draft-pantos-hls-rfc8216bis, section 6.2.5). */
export interface Directives {
  /** A media sequence number; undefined for a player that does not wait. */
  sequence: number | undefined
  /** Number of a partial segment in there. */
  chunk: number | undefined
  isDelta: boolean
}

export function parseDirectives(url: string): Directives {
  const numberOf = (name: string) => {
    const [, digits] = new RegExp(`[?&]${name}=(\\d{1,9})(?:&|$)`).exec(url) ?? []
    return digits === undefined ? undefined : Number(digits)
  }
  return {
    sequence: numberOf('_HLS_msn'),
    chunk: numberOf('_HLS_part'),
    isDelta: /[?&]_HLS_skip=YES(?:&|$)/.test(url),
  }
}

/** Whether a stream has what a player waits for. A chunk after the last one of a part is the first one of the next (6.2.5.2). */
export function hasReached(
  stream: ShownParts,
  track: string,
  { sequence = -1, chunk }: Pick<Directives, 'sequence' | 'chunk'>,
): boolean {
  const ahead = countSegments(stream, track) - sequence
  if (chunk === undefined || ahead > 1) return ahead > 0
  const growing = countGrowing(stream, track)
  if (ahead < 1) return ahead === 0 && growing > chunk
  // without sound, the newest parts are no segments of its track
  const last = stream.parts.findLast(({ audioBytes }) => track !== SOUND || audioBytes > 0)
  const own = last ? chunksOfTrack(stream, track, last.part, last.endMicros).length : 0
  return own === 0 || own > chunk || growing > 0
}

/** Chunks beyond the last one that a player may wait for: three seconds, the Advance Part Limit of RFC 8216bis (6.2.5.2). */
const ADVANCE_CHUNKS = 6

/** Whether a requested part or chunk is so far ahead of the end that the server rejects the request. */
export function isFarAhead(
  stream: ShownParts,
  track: string,
  { sequence = -1, chunk = 0 }: Pick<Directives, 'sequence' | 'chunk'>,
): boolean {
  const next = countSegments(stream, track)
  return sequence > next + 2 || (sequence === next && chunk >= countGrowing(stream, track) + ADVANCE_CHUNKS)
}

/** Parts before the one that is not complete whose chunks are listed; those of one more are there for slow players. */
export const PARTS_WITH_CHUNKS = 2

/** The chunks of a part from its beginning on. */
export function chunksOfPart<Each extends Pick<LiveChunk, 'part' | 'chunk'>>(
  chunks: readonly Each[],
  part: number,
): Each[] {
  const own = chunks.filter((each) => each.part === part)
  const end = own.findIndex(({ chunk }, i) => chunk !== i)
  return end === -1 ? own : own.slice(0, end)
}

/** The chunks of a track in a part. Of a complete part, all or none. */
function chunksOfTrack({ chunks }: ShownParts, track: string, part: number, endMicros?: number): LiveChunk[] {
  const own = chunksOfPart(chunks, part)
  if (endMicros !== undefined && own.at(-1)?.endMicros !== endMicros) return []
  return track === SOUND ? own.filter(({ hasAudio }) => hasAudio) : own
}

/** Whether a chunk is the next one of the part that is not complete. */
export const isNextChunk = (
  stream: ShownParts,
  { part, chunk }: Pick<LiveChunk, 'part' | 'chunk'>,
): boolean => part === growingPart(stream) && chunk === chunksOfPart(stream.chunks, part).length

/** Number of the part that is not complete. */
const growingPart = ({ parts }: ShownParts) => (parts.at(-1)?.part ?? -1) + 1

/** Number of chunks of the part that is not complete. */
const countGrowing = (stream: ShownParts, track: string) =>
  isEncoded(track) ? 0 : chunksOfTrack(stream, track, growingPart(stream)).length

/** Parts behind the end of a stream at which playback begins, and the time for which they may come late. */
const PARTS_BEHIND = 2
const LATE_SECONDS = 0.5

/**
 * How far behind the last part playback begins. Parts arrive as a whole, and the target duration says nothing about how often:
 * it is the same for all streams, because it may not change.
 */
function secondsBehind(parts: readonly { seconds: number }[]): number {
  return PARTS_BEHIND * Math.max(0, ...parts.map(({ seconds }) => seconds)) + LATE_SECONDS
}

/** The parts of a stream, and what of it no longer exists. */
export interface ShownParts {
  parts: readonly LivePart[]
  endedAt: Date | null
  keepsRecording: boolean
  droppedParts: number
  droppedSounds: number
  /** Number of parts with sound. */
  sounds: number
  /** Of the last parts, and of the part that is not complete, in order. */
  chunks: readonly LiveChunk[]
}

/** The lines of a playlist for some parts: those of earlier parts never change, so that only new ones are written. */
export interface WrittenParts {
  /** Number of the first part; undefined without any. */
  first: number | undefined
  count: number
  lines: string
}

/** Writes the parts of a playlist, after those that were written before. */
export function writeParts(
  stream: ShownParts,
  track: string,
  before?: WrittenParts,
  count = countListed(stream, track),
): WrittenParts {
  const { parts } = stream
  const first = parts[0]?.part
  const known = before && before.first === first && before.count <= count ? before : undefined
  const added = linesOf(stream, track, parts.slice(known?.count ?? 0, count))
  return { first, count, lines: (known?.lines ?? '') + joinLines(added) }
}

const joinLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** The lines of some parts, each behind the lines of its chunks if those are wanted. */
function linesOf(
  { parts }: Pick<ShownParts, 'parts'>,
  track: string,
  listed: readonly LivePart[],
  chunkLines: (part: LivePart) => string[] = () => [],
): string[] {
  const first = parts[0]?.part
  return segmentsOfTrack(listed, track).flatMap((segment) => [
    ...(segment.part === first || segment.isResumed ? [dateTag(segment, track)] : []),
    ...chunkLines(segment),
    `#EXTINF:${segment.seconds.toFixed(6)},`,
    `${segment.part}.m4s`,
  ])
}

/**
 * The media playlist of a track: of a stream that runs, players load it again and again, or wait for the next part
 * (draft-pantos-hls-rfc8216bis, section 6.2.5.2).
 */
export function livePlaylist(
  stream: ShownParts,
  track: string,
  { count, lines }: WrittenParts = writeParts(stream, track),
): string {
  const { parts, endedAt } = stream
  const last = segmentsOfTrack(parts.slice(Math.max(0, count - PARTS_BEHIND - 1), count), track)
  if (endedAt !== null) return `${headOf(stream, track)}${lines}#EXT-X-ENDLIST\n`
  const head = headOf(stream, track, [
    '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES',
    `#EXT-X-START:TIME-OFFSET=-${secondsBehind(last).toFixed(3)}`,
  ])
  return head + lines
}

function headOf(
  { endedAt, keepsRecording, droppedParts, droppedSounds }: ShownParts,
  track: string,
  ofLive: string[] = [],
  version = 7,
): string {
  return joinLines([
    '#EXTM3U',
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${MAX_SEGMENT_SECONDS}`,
    `#EXT-X-MEDIA-SEQUENCE:${track === SOUND ? droppedSounds : droppedParts}`,
    ...(keepsRecording ? [`#EXT-X-PLAYLIST-TYPE:${endedAt === null ? 'EVENT' : 'VOD'}`] : []),
    ...ofLive,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
  ])
}

/** Segments this far behind the end may be left out for players that know them. */
const SKIP_SECONDS = 6 * MAX_SEGMENT_SECONDS
/** Distance from the end in partial segments. */
const CHUNKS_BEHIND = 3
const MIN_PART_TARGET_MS = 500

/**
 * The media playlist with partial segments, at which playback begins closer to the end. `written` are the parts before the
 * last ones. Undefined for a track without chunks.
 */
export function lowLatencyPlaylist(
  stream: ShownParts,
  track: string,
  written: WrittenParts,
  { isDelta }: Pick<Directives, 'isDelta'>,
): string | undefined {
  const { parts } = stream
  const recent = parts.slice(written.count)
  const growing = growingPart(stream)
  const chunks = new Map(
    recent.map(({ part, endMicros }) => [part, chunksOfTrack(stream, track, part, endMicros)]),
  ).set(growing, chunksOfTrack(stream, track, growing))
  const lengths = [...chunks.values()].flat().map((chunk) => microsIn(chunk, track))
  if (lengths.length === 0) return undefined
  // rounded up: no chunk may be longer
  const targetMs = Math.max(MIN_PART_TARGET_MS, ...lengths.map((micros) => Math.ceil(micros / 1000)))
  const target = (targetMs / 1000).toFixed(3)
  const behind = ((CHUNKS_BEHIND * targetMs) / 1000).toFixed(3)
  const head = headOf(
    stream,
    track,
    [
      `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=${SKIP_SECONDS},PART-HOLD-BACK=${behind}`,
      `#EXT-X-PART-INF:PART-TARGET=${target}`,
      `#EXT-X-START:TIME-OFFSET=-${behind}`,
    ],
    9,
  )
  const old = isDelta ? parts.slice(0, countOld(parts)) : []
  const skipped = segmentsOfTrack(old, track).length
  const skip = [
    `#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`,
    ...linesOf(stream, track, parts.slice(old.length, written.count)),
  ]
  const tagsOf = (part: number) => (chunks.get(part) ?? []).map((chunk) => chunkTag(chunk, track))
  const last = [
    ...linesOf(stream, track, recent, ({ part }) => tagsOf(part)),
    ...tagsOf(growing),
    // hls.js takes the last segment as the next one where nothing follows it
    `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${growing}.${chunksOfPart(stream.chunks, growing).length}.m4s"`,
  ]
  return head + (skipped > 0 ? joinLines(skip) : written.lines) + joinLines(last)
}

/** Number of parts that are further behind the end than what players have to know. */
function countOld(parts: readonly LivePart[]): number {
  const before = (parts.at(-1)?.endMicros ?? 0) - SKIP_SECONDS * 1e6
  let count = parts.length
  while (count > 0 && (parts[count - 1]?.endMicros ?? 0) > before) count -= 1
  return count
}

const microsIn = (chunk: LiveChunk, track: string): number =>
  track === SOUND ? chunk.audioEndMicros - chunk.audioStartMicros : chunk.endMicros - chunk.startMicros

/** Of the video, only the first chunk of a part begins with a keyframe. */
function chunkTag(chunk: LiveChunk, track: string): string {
  const isIndependent = track === SOUND || chunk.chunk === 0
  return `#EXT-X-PART:DURATION=${(microsIn(chunk, track) / 1e6).toFixed(6)},URI="${chunk.part}.${chunk.chunk}.m4s"${isIndependent ? ',INDEPENDENT=YES' : ''}`
}

/** When the first frame of a segment arrived: its end arrived when the part was complete. */
function dateTag({ receivedAt, ...part }: LivePart, track: string): string {
  const start = track === SOUND ? part.audioStartMicros : part.startMicros
  const time = new Date(receivedAt.getTime() - (part.endMicros - start) / 1000)
  return `#EXT-X-PROGRAM-DATE-TIME:${time.toISOString()}`
}
