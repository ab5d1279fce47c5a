import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { type StorageKey, storagePrefixes } from '../../../../context/storage-keys.ts'

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

/** How long the owner of a channel reads why an encoder was refused, which tries again every few seconds. */
const REFUSAL_SHOWN_MS = 600_000

/** Whether a refusal is news for the owner of a channel. */
export function isRefusalNew(
  { reason, at }: { reason: LiveEndReason; at: Date },
  { isRunning, now }: { isRunning: boolean; now: Date },
): boolean {
  // a second encoder, beside one that has ended: it says nothing about the next stream
  if (reason === 'streams_of_account' && !isRunning) return false
  const shownMs = isRunning || isForGood(reason) ? RECONNECT_MS : REFUSAL_SHOWN_MS
  return now.getTime() - at.getTime() < shownMs
}

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

/** Minutes after which a machine that was busy is measured again. */
export const measuredAgainMinutes = [1, 5, 15] as const

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
