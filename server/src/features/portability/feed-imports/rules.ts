import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { z } from 'zod'
import { hourMs } from '@kinora/platform/durations.ts'
import { AppError } from '@kinora/platform/errors.ts'

/** An entry that waits for its import. */
export const WaitingEntry = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  publishedAt: z.iso.datetime().nullable(),
  /** Not of videos that the feed had when it was added. */
  notifiesSubscribers: z.boolean(),
})
export type WaitingEntry = z.infer<typeof WaitingEntry>

const maxHours = 24

/** When something is attempted again after so many failures in a row: in an hour without one, then in twice as long, up to a day. */
export const nextAttempt = (now: Date, failures: number): Date =>
  new Date(now.getTime() + hourMs * Math.min(2 ** failures, maxHours))

/** Throws the reason why a response has no feed. */
export function assertFeed(status: number): void {
  if (status === 401 || status === 403) throw new AppError(portabilityErrors.feedNeedsLogin)
  if (status === 404 || status === 410) throw new AppError(portabilityErrors.feedMissing)
  if (status !== 200) throw new AppError(portabilityErrors.feedStatus, { status })
}
