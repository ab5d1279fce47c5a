import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import type { LivePart } from './queries/parts.ts'

/** Whether an account may stream. */
export const mayStream = (account: { role: Role; isAllowed: boolean }, least: Role): boolean =>
  account.isAllowed || hasRole(account.role, least)

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
const endsWithEvidence: readonly LiveEndReason[] = ['suspended', 'taken_down']
export const isEvidence = (reason: LiveEndReason | null): boolean =>
  reason !== null && endsWithEvidence.includes(reason)

/** Streams that an account may begin in an hour: what fails again and again publishes no endless row of videos. */
export const MAX_STREAMS_PER_HOUR = 10

/** Subscribers learn of a stream once it has run for so long. */
export const ANNOUNCED_AFTER_SECONDS = 30

/** The tracks of a live stream in its playlists. */
export const liveTracks = ['source', 'audio-0'] as const
export type LiveTrack = (typeof liveTracks)[number]

export interface Segment {
  part: number
  seconds: number
  position: number
  bytes: number
}

/** The segments of a track: of the sound, those in which there is any. */
export function segmentsOfTrack(parts: readonly LivePart[], track: LiveTrack): (Segment & LivePart)[] {
  return parts.flatMap((each) => {
    const { part, position, videoBytes, audioBytes } = each
    if (track === 'source')
      return {
        ...each,
        part,
        seconds: (each.endMicros - each.startMicros) / 1e6,
        position,
        bytes: videoBytes,
      }
    if (audioBytes === 0) return []
    const seconds = (each.audioEndMicros - each.audioStartMicros) / 1e6
    return { ...each, part, seconds, position: position + videoBytes, bytes: audioBytes }
  })
}

/** The part with a number. Numbers grow, and some may be missing. */
export function findPart(parts: readonly LivePart[], number: number): LivePart | undefined {
  let at = Math.min(number, parts.length - 1)
  while (at > 0 && (parts[at]?.part ?? 0) > number) at -= 1
  return parts[at]?.part === number ? parts[at] : undefined
}

/** The shortest target duration: a player asks for a playlist about as often. */
const MIN_TARGET_SECONDS = 2

/** The media playlist of a track: of a stream that runs, players load it again and again. */
export function livePlaylist(parts: readonly LivePart[], track: LiveTrack, hasEnded: boolean): string {
  const segments = segmentsOfTrack(parts, track)
  const target = Math.max(MIN_TARGET_SECONDS, ...segments.map(({ seconds }) => Math.round(seconds)))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${hasEnded ? 'VOD' : 'EVENT'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
    ...segments.flatMap((segment, index) => [
      ...(index === 0 || segment.isResumed ? [dateTag(segment, track)] : []),
      `#EXTINF:${segment.seconds.toFixed(6)},`,
      `${segment.part}.m4s`,
    ]),
    ...(hasEnded ? ['#EXT-X-ENDLIST'] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** When the first frame of a segment arrived: its end arrived when the part was complete. */
function dateTag({ receivedAt, ...part }: LivePart, track: LiveTrack): string {
  const start = track === 'source' ? part.startMicros : part.audioStartMicros
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
