import type { HideCause } from '../../conversation/comments/queries/deletions.ts'

/** The reasons for which the videos of a hidden account are taken down. */
export const hiddenReasons: Record<HideCause, string> = {
  leaving: 'The account is being deleted',
  suspension: 'The account is suspended',
}
