import { clipMaxSeconds, clipMinSeconds } from '@kinora/contract/watching/clip-limits.ts'

/** A part of a video, to a tenth of a second. */
export interface ClipRange {
  startSeconds: number
  endSeconds: number
}

/** Length of the part suggested for a new clip. */
const SUGGESTED_SECONDS = 30
/** Length of what the slider shows at a time: twice the longest clip. */
const WINDOW_SECONDS = 2 * clipMaxSeconds

const tenths = (seconds: number) => Math.round(seconds * 10) / 10
const between = (least: number, seconds: number, most: number) => Math.min(Math.max(least, seconds), most)
/** The end of a video, which its player may never quite reach. */
const endOf = (durationSeconds: number) => Math.floor(durationSeconds * 10) / 10

/** The part suggested for a new clip: half a minute from the position of the player, or the last half minute of the video. */
export function suggestedRange(currentSeconds: number, durationSeconds: number): ClipRange {
  const end = endOf(durationSeconds)
  const startSeconds = tenths(between(0, currentSeconds, Math.max(0, end - SUGGESTED_SECONDS)))
  return { startSeconds, endSeconds: tenths(Math.min(end, startSeconds + SUGGESTED_SECONDS)) }
}

/** The part with another start. Its end moves where the clip would be too short or too long. */
export function withStart({ endSeconds }: ClipRange, seconds: number, durationSeconds: number): ClipRange {
  const end = endOf(durationSeconds)
  const startSeconds = tenths(between(0, seconds, Math.max(0, end - clipMinSeconds)))
  const [least, most] = [startSeconds + clipMinSeconds, startSeconds + clipMaxSeconds]
  return { startSeconds, endSeconds: tenths(Math.min(end, between(least, endSeconds, most))) }
}

/** The part with another end. Its start moves where the clip would be too short or too long. */
export function withEnd({ startSeconds }: ClipRange, seconds: number, durationSeconds: number): ClipRange {
  const endSeconds = tenths(between(clipMinSeconds, seconds, endOf(durationSeconds)))
  const [least, most] = [endSeconds - clipMaxSeconds, endSeconds - clipMinSeconds]
  return { startSeconds: tenths(Math.max(0, between(least, startSeconds, most))), endSeconds }
}

/** The window of the slider: as before while the part is in it, else with the part in its middle. */
export function windowAround(
  { startSeconds, endSeconds }: ClipRange,
  durationSeconds: number,
  before?: ClipRange,
): ClipRange {
  if (before && startSeconds >= before.startSeconds && endSeconds <= before.endSeconds) return before
  const end = endOf(durationSeconds)
  const middle = (startSeconds + endSeconds) / 2
  const from = tenths(between(0, middle - WINDOW_SECONDS / 2, Math.max(0, end - WINDOW_SECONDS)))
  return { startSeconds: from, endSeconds: tenths(Math.min(end, from + WINDOW_SECONDS)) }
}
