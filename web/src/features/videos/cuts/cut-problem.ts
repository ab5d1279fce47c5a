import { t } from '@lingui/core/macro'
import { cutMinSeconds, cutRangeMinSeconds } from '@kinora/contract/videos/cut-times.ts'
import { lengthOf, type Ranges } from './ranges.ts'

/** The reason why a cut cannot be published; undefined for a valid one. */
export function cutProblem(keep: Ranges): string | undefined {
  if (lengthOf(keep) < cutMinSeconds) return t`At least ${cutMinSeconds} second of the video must stay.`
  const isShort = keep.some((range) => lengthOf([range]) < cutRangeMinSeconds - 0.0005)
  return isShort
    ? t`A part that stays is shorter than ${cutRangeMinSeconds} seconds. Remove it, too, or make it longer.`
    : undefined
}
