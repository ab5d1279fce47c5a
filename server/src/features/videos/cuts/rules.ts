import { timesIn } from '@kinora/contract/videos/chapters.ts'
import {
  cutMinSeconds,
  cutRangeMinSeconds,
  isKept,
  keptSeconds,
  toCutTime,
  toSourceTime,
} from '@kinora/contract/videos/cut-times.ts'
import type { KeptRange, VideoCut } from '@kinora/contract/videos/cuts.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { cutPresentation, snapRanges } from '@kinora/media/plan/cut.ts'
import { frameSeconds, type Timeline } from '@kinora/media/plan/timeline.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { PlannedVideo } from '../playback/actions/presentations.ts'

/** The deletion of what was cut of a video, which runs or has failed. */
export interface CutDeletion {
  /** When the cut was published. */
  publishedAt: Date
  progress: number
  hasFailed: boolean
}

/** Rounding of times on their way through a browser. */
const slackSeconds = 0.1

/** The ranges of a request on the frames of a video; null if they are all of it. Throws `invalid`. */
export function checkRanges(timeline: Timeline, ranges: readonly KeptRange[]): KeptRange[] | null {
  for (const [index, { startSeconds, endSeconds }] of ranges.entries()) {
    const path = `keep.${index}`
    if (startSeconds < (ranges[index - 1]?.endSeconds ?? 0))
      throw new AppError(videoErrors.cutOrder, { path })
    if (endSeconds - startSeconds < cutRangeMinSeconds)
      throw new AppError(videoErrors.cutRangeTooShort, { seconds: cutRangeMinSeconds }, { path })
    if (endSeconds > timeline.durationSeconds + slackSeconds)
      throw new AppError(videoErrors.cutBeyondEnd, { path })
  }
  const keep = snapRanges(timeline, ranges)
  if (keep && keptSeconds(keep) < cutMinSeconds)
    throw new AppError(videoErrors.cutTooShort, { seconds: cutMinSeconds }, { path: 'keep' })
  return keep
}

/** Whether a file of what is kept of a video has the frames of its file, and all of its audio tracks. */
export function isCopyable({ presentation, source }: Pick<PlannedVideo, 'presentation' | 'source'>): boolean {
  const sounds = presentation.audio.filter(({ isLowBitrate }) => !isLowBitrate)
  const isCopied = cutPresentation(presentation).passthrough !== null && sounds.every((plan) => plan.isCopied)
  return isCopied && sounds.length === source.audio.length
}

/** The cut of a video as its owner edits it. */
export function toVideoCut(
  video: PlannedVideo,
  { cutAt, deletion }: { cutAt: Date | undefined; deletion: CutDeletion | undefined },
): VideoCut {
  const { id, presentation, cut, hasStoryboard } = video
  const { timeline } = presentation
  const { durationSeconds } = timeline
  const media = `/media/videos/${id}/uncut`
  return {
    sourceDurationSeconds: durationSeconds,
    durationSeconds: cut ? keptSeconds(cut) : durationSeconds,
    framesPerSecond: 1 / frameSeconds(timeline),
    keep: cut ?? [{ startSeconds: 0, endSeconds: durationSeconds }],
    publishedAt: cut ? (cutAt?.toISOString() ?? null) : null,
    changedAt: cutAt?.toISOString() ?? null,
    deletion: deletion
      ? { state: deletion.hasFailed ? 'failed' : 'running', progress: deletion.progress }
      : null,
    isDeletable: isCopyable(video),
    uncutStreamUrl: `${media}/master.m3u8`,
    uncutStoryboardUrl: hasStoryboard ? `${media}/storyboard.vtt` : null,
  }
}

/** A cut that a video had. */
export interface PublishedCut {
  publishedAt: Date
  /** Null where a cut ended. */
  keep: KeptRange[] | null
  /** These ranges became the file. */
  isFinal: boolean
}

/**
 * Where the times of a text lead, null for what was removed. Undefined if it has none, or no cut was published after they were
 * written. `cuts` are in order of time.
 */
export function movedTimesIn(
  text: string,
  dateOf: (seconds: number) => Date,
  cuts: readonly PublishedCut[],
): { written: number; seconds: number | null }[] | undefined {
  const times = timesIn(text).map((written) => {
    const writtenAt = dateOf(written)
    return { written, later: cuts.filter(({ publishedAt }) => publishedAt > writtenAt) }
  })
  if (times.every(({ later }) => later.length === 0)) return undefined
  return times.map(({ written, later }) => {
    if (later.length === 0) return { written, seconds: written }
    const before = cuts[cuts.length - later.length - 1]
    const seen = before?.isFinal ? null : (before?.keep ?? null)
    return { written, seconds: movedTime(toSourceTime(seen, written), later) }
  })
}

/** Where viewers see a time of the file that a video had before some cuts; null if it was removed. */
function movedTime(seconds: number, cuts: readonly PublishedCut[]): number | null {
  let at = seconds
  let shown: KeptRange[] | null = null
  for (const { keep, isFinal } of cuts) {
    shown = isFinal ? null : keep
    if (!isFinal) continue
    if (!isKept(keep, at)) return null
    at = toCutTime(keep, at)
  }
  return isKept(shown, at) ? toCutTime(shown, at) : null
}
