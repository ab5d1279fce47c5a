/** Bits per second of a track: its peak segment bit rate and its average segment bit rate (RFC 8216, section 4.1). */
export type Bitrates = { peakBps: number; averageBps: number }

/** Measured bitrates by the name of the track in playlists. */
export type TrackBitrates = Readonly<Record<string, Bitrates>>

type SizedSegment = { sizeBytes: number; seconds: number }

/** Largest integer of the database. A single large frame that is shown for a moment exceeds it. */
const maxBps = 2 ** 31 - 1

/** The bitrates of a track whose segments are all known. */
export function bitratesOf(segments: SizedSegment[]): Bitrates {
  const totalBytes = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const targetSeconds = Math.max(1, ...segments.map(({ seconds }) => Math.round(seconds)))
  const averageBps = Math.min(maxBps, Math.ceil((totalBytes * 8) / Math.max(0.01, totalSeconds(segments))))
  const peakBps = Math.min(maxBps, Math.ceil(peakSegmentBitrate(segments, targetSeconds)))
  return { peakBps: Math.max(averageBps, peakBps), averageBps }
}

/**
 * The peak segment bit rate of RFC 8216, section 4.1: the largest over any run of segments that lasts between half and
 * one and a half times the target duration, or over all of a shorter video.
 */
export function peakSegmentBitrate(segments: SizedSegment[], targetSeconds: number): number {
  const shortest = Math.min(targetSeconds * 0.5, totalSeconds(segments) - 1e-6)
  let peak = 0
  for (let from = 0; from < segments.length; from++) {
    let [seconds, bits] = [0, 0]
    for (let at = from; at < segments.length; at++) {
      seconds += segments[at]?.seconds ?? 0
      bits += (segments[at]?.sizeBytes ?? 0) * 8
      if (seconds > targetSeconds * 1.5) break
      if (seconds >= shortest) peak = Math.max(peak, bits / Math.max(0.01, seconds))
    }
  }
  return peak
}

const totalSeconds = (segments: SizedSegment[]) => segments.reduce((sum, { seconds }) => sum + seconds, 0)
