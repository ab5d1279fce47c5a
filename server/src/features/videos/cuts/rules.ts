import { cutMinSeconds, cutRangeMinSeconds } from '@kinora/contract/videos/cut-times.ts'
import type { KeptRange, VideoCut } from '@kinora/contract/videos/cuts.ts'
import { keptSeconds } from '@kinora/contract/videos/cut-times.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { snapRanges } from '@kinora/media/plan/cut.ts'
import { frameSeconds, type Timeline } from '@kinora/media/plan/timeline.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { PlannedVideo } from '../playback/actions/presentations.ts'

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

/** The cut of a video as its owner edits it. */
export function toVideoCut(
  { id, presentation: { timeline }, cut, hasStoryboard }: PlannedVideo,
  cutAt: Date | undefined,
): VideoCut {
  const { durationSeconds } = timeline
  const media = `/media/videos/${id}/uncut`
  return {
    sourceDurationSeconds: durationSeconds,
    durationSeconds: cut ? keptSeconds(cut) : durationSeconds,
    framesPerSecond: 1 / frameSeconds(timeline),
    keep: cut ?? [{ startSeconds: 0, endSeconds: durationSeconds }],
    publishedAt: cut ? (cutAt?.toISOString() ?? null) : null,
    uncutStreamUrl: `${media}/master.m3u8`,
    uncutStoryboardUrl: hasStoryboard ? `${media}/storyboard.vtt` : null,
  }
}
