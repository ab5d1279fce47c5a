import { MAX_SEGMENT_SECONDS } from '@kinora/live/recording/recorder.ts'
import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import { PASSTHROUGH_NAME, planPresentation, type Presentation } from '@kinora/media/plan/hls.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { LIVE_FOLDER } from '../../videos/playback/rules.ts'
import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { type StorageKey, storagePrefixes } from '../../../context/storage-keys.ts'
import type { LiveChunk } from './queries/chunks.ts'
import type { LivePart } from './queries/parts.ts'

/** Whether an account may stream. */
export const mayStream = (account: { role: Role; isAllowed: boolean }, least: Role): boolean =>
  account.isAllowed || hasRole(account.role, least)

/** Templates that a channel may keep. */
export const MAX_SHOWS = 50

/** Streams that a channel may have announced. */
export const MAX_ANNOUNCED = 20

/** How long a stream waits for another connection of its encoder. */
export const RECONNECT_MS = 60_000

/** Encoders connect again by themselves; after these ends that would begin another stream, so they are refused for a while. */
const endsForGood: readonly LiveEndReason[] = [
  'disk_full',
  'ended_by_moderator',
  'ended_by_owner',
  'length',
  'quota',
  'suspended',
  'taken_down',
]
export const isForGood = (reason: LiveEndReason): boolean => endsForGood.includes(reason)

/** Ends of a connection after which the stream waits for the next one. */
const interruptions: readonly LiveEndReason[] = ['lost', 'timeout', 'failed', 'protocol']
export const isInterruption = (reason: LiveEndReason): boolean => interruptions.includes(reason)

/** Ends after which a recording is kept whatever its channel wants: it shows what happened. Nobody else sees it. */
const endsWithEvidence: readonly LiveEndReason[] = ['ended_by_moderator', 'suspended', 'taken_down']
export const isEvidence = (reason: LiveEndReason | null): boolean =>
  reason !== null && endsWithEvidence.includes(reason)

/** Why a recording that its channel would not keep is shown to nobody else. */
export const EVIDENCE_REASON = 'Moderators ended this live stream. Its channel keeps no recordings.'

/** A stream that keeps nothing can be rewound this far. */
export const WINDOW_SECONDS = 600
/** Length of each of its files: so much more is on disk at most. */
export const WINDOW_FILE_SECONDS = 120

/** Storage key of a recording that grows. */
export const growingKeyOf = (videoId: string, attempt: string): StorageKey =>
  `${storagePrefixes.live}${videoId}/${attempt}`

/** Storage key of one of the files of a recording. */
export const fileKeyOf = (sourceKey: string, file: number): string =>
  file === 0 ? sourceKey : `${sourceKey}_${file}`

/** Streams that an account may begin in an hour: what fails again and again publishes no endless row of videos. */
export const MAX_STREAMS_PER_HOUR = 10

/** Subscribers learn of a stream once it has run for so long. */
export const ANNOUNCED_AFTER_SECONDS = 30

/** The sound of a live stream in its playlists. */
export const SOUND = 'audio-0'

/** How a stream is played: the original, its sound as it is, also the Opus of browsers, and renditions with fewer bits. */
export function planLive(source: SourceInfo): Presentation {
  const { passthrough, ...planned } = planPresentation(source)
  const isOpus = ({ position }: Presentation['audio'][number]) =>
    source.audio.some((track) => track.position === position && track.codec === 'opus')
  return {
    ...planned,
    passthrough,
    renditions: planned.renditions.filter(({ bandwidth }) => bandwidth < (passthrough?.bandwidth ?? 0)),
    av1: [],
    audio: planned.audio
      .filter(({ isLowBitrate }) => !isLowBitrate)
      .map((plan) => (isOpus(plan) ? { ...plan, isCopied: true, codecString: 'opus' } : plan))
      .filter(({ isCopied }) => isCopied),
  }
}

/** Minutes after which a machine that was busy is measured again. */
export const measuredAgainMinutes = [1, 5, 15] as const

/** The name of an encoded part. */
export const liveSegment = (videoId: string, track: string, part: 'init' | number) => ({
  videoId,
  folder: LIVE_FOLDER,
  track,
  part,
})

/** The tracks of a stream in its playlists: the original, its sound, or a rendition. */
export const hasTrack = ({ renditions }: { renditions: readonly string[] }, track: string): boolean =>
  track === PASSTHROUGH_NAME || track === SOUND || renditions.includes(track)

/** Whether a track has to be encoded. */
export const isEncoded = (track: string): boolean => track !== PASSTHROUGH_NAME && track !== SOUND

export interface Segment {
  part: number
  seconds: number
  file: number
  position: number
  bytes: number
}

/** The segments of a track: of the sound, those in which there is any. Of a rendition, what each is encoded from. */
export function segmentsOfTrack(parts: readonly LivePart[], track: string): (Segment & LivePart)[] {
  return parts.flatMap((each) => {
    const { position, videoBytes, audioBytes } = each
    if (track !== SOUND)
      return { ...each, seconds: (each.endMicros - each.startMicros) / 1e6, bytes: videoBytes }
    if (audioBytes === 0) return []
    const seconds = (each.audioEndMicros - each.audioStartMicros) / 1e6
    return { ...each, seconds, position: position + videoBytes, bytes: audioBytes }
  })
}

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

/** Whether a stream has what a player waits for. */
export function hasReached(
  stream: ShownParts,
  track: string,
  { sequence = -1, chunk }: Pick<Directives, 'sequence' | 'chunk'>,
): boolean {
  const next = countSegments(stream, track)
  return next > sequence || (next === sequence && chunk !== undefined && countGrowing(stream, track) > chunk)
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

/** The part with a number. Numbers grow, and some may be missing. */
export function findPart(parts: readonly LivePart[], number: number): LivePart | undefined {
  let at = Math.min(number, parts.length - 1)
  while (at > 0 && (parts[at]?.part ?? 0) > number) at -= 1
  return parts[at]?.part === number ? parts[at] : undefined
}

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
const MIN_PART_TARGET = 0.5

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
  const lengths = [...chunks.values()].flat().map((chunk) => secondsOf(chunk, track))
  if (lengths.length === 0) return undefined
  const target = Math.max(MIN_PART_TARGET, ...lengths).toFixed(3)
  const behind = (CHUNKS_BEHIND * Number(target)).toFixed(3)
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

function secondsOf(chunk: LiveChunk, track: string): number {
  const [start, end] =
    track === SOUND ? [chunk.audioStartMicros, chunk.audioEndMicros] : [chunk.startMicros, chunk.endMicros]
  return (end - start) / 1e6
}

/** Of the video, only the first chunk of a part begins with a keyframe. */
function chunkTag(chunk: LiveChunk, track: string): string {
  const isIndependent = track === SOUND || chunk.chunk === 0
  return `#EXT-X-PART:DURATION=${secondsOf(chunk, track).toFixed(6)},URI="${chunk.part}.${chunk.chunk}.m4s"${isIndependent ? ',INDEPENDENT=YES' : ''}`
}

/** When the first frame of a segment arrived: its end arrived when the part was complete. */
function dateTag({ receivedAt, ...part }: LivePart, track: string): string {
  const start = track === SOUND ? part.audioStartMicros : part.startMicros
  const time = new Date(receivedAt.getTime() - (part.endMicros - start) / 1000)
  return `#EXT-X-PROGRAM-DATE-TIME:${time.toISOString()}`
}

/** A file of a track. */
export type LiveFile = 'index' | 'low-latency' | 'init' | number | { part: number; chunk: number }

/** The file with a name, such as `init.mp4`, `12.m4s` or, of a chunk, `12.3.m4s`. */
export function parseLiveFile(file: string): LiveFile | undefined {
  if (file === 'index.m3u8') return 'index'
  if (file === 'low-latency.m3u8') return 'low-latency'
  if (file === 'init.mp4') return 'init'
  const [, part, chunk] = /^(0|[1-9]\d{0,6})(?:\.(0|[1-9]\d{0,3}))?\.m4s$/.exec(file) ?? []
  if (part === undefined) return undefined
  return chunk === undefined ? Number(part) : { part: Number(part), chunk: Number(chunk) }
}

/** Addresses for encoders, RTMPS first. */
export function serversOf(
  {
    live,
    publicUrl,
    rtmpPublicHost,
    rtmpPort,
    rtmpsPort,
  }: {
    live: boolean
    publicUrl?: string | undefined
    rtmpPublicHost?: string | undefined
    rtmpPort: number
    rtmpsPort?: number | undefined
  },
  hostname: string,
): string[] {
  if (!live) return []
  const host = rtmpPublicHost ?? (publicUrl === undefined ? hostname : new URL(publicUrl).hostname)
  const address = (scheme: string, port: number, usual: number) =>
    `${scheme}://${host}${port === usual ? '' : `:${port}`}/live`
  return [
    ...(rtmpsPort === undefined ? [] : [address('rtmps', rtmpsPort, 443)]),
    address('rtmp', rtmpPort, 1935),
  ]
}
