import { MAX_SEGMENT_SECONDS } from '@kinora/live/recording/recorder.ts'
import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import { PASSTHROUGH_NAME, planPresentation, type Presentation } from '@kinora/media/plan/hls.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { LIVE_FOLDER } from '../../videos/playback/rules.ts'
import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { type StorageKey, storagePrefixes } from '../../../context/storage-keys.ts'
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

/** The media sequence number for which a player waits (draft-pantos-hls-rfc8216bis, section 6.2.5.2). */
export function parseSequence(url: string): number | undefined {
  const [, digits] = /[?&]_HLS_msn=(\d{1,9})(?:&|$)/.exec(url) ?? []
  return digits === undefined ? undefined : Number(digits)
}

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
}

/** The lines of a playlist for some parts: those of earlier parts never change, so that only new ones are written. */
export interface WrittenParts {
  /** Number of the first part; undefined without any. */
  first: number | undefined
  count: number
  lines: string
}

/** Writes the parts of a playlist, after those that were written before. */
export function writeParts(stream: ShownParts, track: string, before?: WrittenParts): WrittenParts {
  const { parts } = stream
  const count = countListed(stream, track)
  const first = parts[0]?.part
  const known = before && before.first === first && before.count <= count ? before : undefined
  const lines = segmentsOfTrack(parts.slice(known?.count ?? 0, count), track).flatMap((segment) => [
    ...(segment.part === first || segment.isResumed ? [dateTag(segment, track)] : []),
    `#EXTINF:${segment.seconds.toFixed(6)},`,
    `${segment.part}.m4s`,
  ])
  const added = lines.map((line) => `${line}\n`).join('')
  return { first, count, lines: (known?.lines ?? '') + added }
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
  const { parts, endedAt, keepsRecording, droppedParts, droppedSounds } = stream
  const hasEnded = endedAt !== null
  const last = segmentsOfTrack(parts.slice(Math.max(0, count - PARTS_BEHIND - 1), count), track)
  const head = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${MAX_SEGMENT_SECONDS}`,
    `#EXT-X-MEDIA-SEQUENCE:${track === SOUND ? droppedSounds : droppedParts}`,
    ...(keepsRecording ? [`#EXT-X-PLAYLIST-TYPE:${hasEnded ? 'VOD' : 'EVENT'}`] : []),
    ...(hasEnded
      ? []
      : [
          '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES',
          `#EXT-X-START:TIME-OFFSET=-${secondsBehind(last).toFixed(3)}`,
        ]),
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
  ]
  return `${head.join('\n')}\n${lines}${hasEnded ? '#EXT-X-ENDLIST\n' : ''}`
}

/** When the first frame of a segment arrived: its end arrived when the part was complete. */
function dateTag({ receivedAt, ...part }: LivePart, track: string): string {
  const start = track === SOUND ? part.audioStartMicros : part.startMicros
  const time = new Date(receivedAt.getTime() - (part.endMicros - start) / 1000)
  return `#EXT-X-PROGRAM-DATE-TIME:${time.toISOString()}`
}

/** The file name of a part of a track: `init.mp4` or `12.m4s`. */
export function parseLiveFile(file: string): 'index' | 'init' | number | undefined {
  if (file === 'index.m3u8') return 'index'
  if (file === 'init.mp4') return 'init'
  const [, digits] = /^(0|[1-9]\d{0,6})\.m4s$/.exec(file) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Addresses for encoders, RTMPS first. The host is that of the site. */
export function serversOf(
  {
    live,
    publicUrl,
    rtmpPort,
    rtmpsPort,
  }: { live: boolean; publicUrl?: string | undefined; rtmpPort: number; rtmpsPort?: number | undefined },
  hostname: string,
): string[] {
  if (!live) return []
  const host = publicUrl === undefined ? hostname : new URL(publicUrl).hostname
  const address = (scheme: string, port: number, usual: number) =>
    `${scheme}://${host}${port === usual ? '' : `:${port}`}/live`
  return [
    ...(rtmpsPort === undefined ? [] : [address('rtmps', rtmpsPort, 443)]),
    address('rtmp', rtmpPort, 1935),
  ]
}
