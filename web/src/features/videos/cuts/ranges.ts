/** A part of the source of a video. */
export type TimeRange = { startSeconds: number; endSeconds: number }

/** Ranges in order of time, none of which touches another. */
export type Ranges = readonly TimeRange[]

/** Times closer than this are the same: less than half a frame at 240 frames a second. */
const SAME_SECONDS = 0.002

/** Adds a range to others; those that it touches become one with it. */
export function unite(ranges: Ranges, added: TimeRange): TimeRange[] {
  if (added.endSeconds - added.startSeconds < SAME_SECONDS) return [...ranges]
  const touches = ({ startSeconds, endSeconds }: TimeRange) =>
    startSeconds <= added.endSeconds + SAME_SECONDS && endSeconds >= added.startSeconds - SAME_SECONDS
  const touched = [added, ...ranges.filter(touches)]
  const united = {
    startSeconds: Math.min(...touched.map(({ startSeconds }) => startSeconds)),
    endSeconds: Math.max(...touched.map(({ endSeconds }) => endSeconds)),
  }
  return [...ranges.filter((range) => !touches(range)), united].sort(
    (a, b) => a.startSeconds - b.startSeconds,
  )
}

/** Takes a range out of others. */
export function subtract(ranges: Ranges, { startSeconds, endSeconds }: TimeRange): TimeRange[] {
  return ranges.flatMap((range) => {
    if (range.endSeconds <= startSeconds || range.startSeconds >= endSeconds) return [range]
    return [
      { startSeconds: range.startSeconds, endSeconds: startSeconds },
      { startSeconds: endSeconds, endSeconds: range.endSeconds },
    ].filter((rest) => rest.endSeconds - rest.startSeconds >= SAME_SECONDS)
  })
}

/** The rest of the video without these ranges: the kept ones if these are removed, and the other way round. */
export function complement(ranges: Ranges, durationSeconds: number): TimeRange[] {
  return ranges.reduce<TimeRange[]>(subtract, [{ startSeconds: 0, endSeconds: durationSeconds }])
}

export const lengthOf = (ranges: Ranges): number =>
  ranges.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0)

/** The position of the range that contains a time, its borders included; -1 if none does. */
export const indexAt = (ranges: Ranges, seconds: number): number =>
  ranges.findIndex(
    ({ startSeconds, endSeconds }) =>
      seconds >= startSeconds - SAME_SECONDS && seconds <= endSeconds + SAME_SECONDS,
  )

export const areSame = (one: Ranges, other: Ranges): boolean =>
  one.length === other.length &&
  one.every(
    ({ startSeconds, endSeconds }, index) =>
      Math.abs(startSeconds - (other[index]?.startSeconds ?? NaN)) < SAME_SECONDS &&
      Math.abs(endSeconds - (other[index]?.endSeconds ?? NaN)) < SAME_SECONDS,
  )

/** The time within the cut that shows a time of the source; what is removed is where it was. */
export function toCutSeconds(removed: Ranges, seconds: number): number {
  return removed.reduce(
    (cut, { startSeconds, endSeconds }) => cut - Math.max(0, Math.min(seconds, endSeconds) - startSeconds),
    seconds,
  )
}

/** Where playback of the cut goes on from a time of the source: undefined outside of what is removed. */
export function skipFrom(removed: Ranges, seconds: number): number | undefined {
  return removed.find(
    ({ startSeconds, endSeconds }) =>
      seconds >= startSeconds - SAME_SECONDS && seconds < endSeconds - SAME_SECONDS,
  )?.endSeconds
}

/** The frame of a video that is closest to a time, within the video. */
export function snapToFrame(
  seconds: number,
  { framesPerSecond, durationSeconds }: { framesPerSecond: number; durationSeconds: number },
): number {
  const snapped = Math.round(Math.round(seconds * framesPerSecond) * (1e6 / framesPerSecond)) / 1e6
  // the end of a video is rarely that of a frame
  if (snapped >= durationSeconds - 0.5 / framesPerSecond) return durationSeconds
  return Math.max(0, snapped)
}
