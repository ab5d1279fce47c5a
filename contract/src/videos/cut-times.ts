/** Limits of a cut: how much remains at least, in all and in each range, and how many ranges it has at most. */
export const cutMinSeconds = 1
export const cutRangeMinSeconds = 0.1
export const cutMaxRanges = 200

/** A part of a file that viewers see. */
export interface Range {
  startSeconds: number
  endSeconds: number
}

/** Ranges of a file that viewers see, in order; null for all of it. */
export type Keep = readonly Range[] | null

const lengthOf = ({ startSeconds, endSeconds }: Range) => endSeconds - startSeconds

/** Length of what viewers see. */
export const keptSeconds = (keep: readonly Range[]): number =>
  keep.reduce((sum, range) => sum + lengthOf(range), 0)

/** Where viewers see a time of the file; for a time that was removed, where the video continues after it. */
export function toCutTime(keep: Keep, seconds: number): number {
  if (!keep) return seconds
  let before = 0
  for (const range of keep) {
    if (seconds < range.startSeconds) return before
    if (seconds < range.endSeconds) return before + seconds - range.startSeconds
    before += lengthOf(range)
  }
  return before
}

/** The time of the file that viewers see at a time. At a join this is the beginning of the later range. */
export function toSourceTime(keep: Keep, seconds: number): number {
  if (!keep) return seconds
  let rest = seconds
  for (const range of keep) {
    if (rest < lengthOf(range)) return range.startSeconds + Math.max(0, rest)
    rest -= lengthOf(range)
  }
  return keep.at(-1)?.endSeconds ?? seconds
}

/** Whether viewers see a time of the file. */
export const isKept = (keep: Keep, seconds: number): boolean =>
  keep?.some(({ startSeconds, endSeconds }) => seconds >= startSeconds && seconds < endSeconds) ?? true

/** A span of the file as viewers see it, without what was removed of it; undefined where nothing remains. */
export function toCutSpan(keep: Keep, { startSeconds, endSeconds }: Range): Range | undefined {
  const start = toCutTime(keep, startSeconds)
  const end = toCutTime(keep, endSeconds)
  return end > start ? { startSeconds: start, endSeconds: end } : undefined
}
