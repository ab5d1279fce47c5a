import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { newAccountBaseLimits, provenContributions } from '@kinora/contract/accounts/new-accounts.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { findTrackRecord, hasPublishedVideo } from './queries.ts'
import { newAccountRateLimits } from './limits.ts'
import { limitFactorOf } from './rules.ts'

type Kind = keyof typeof newAccountBaseLimits

const newAccountErrors = {
  comments: accountErrors.newAccountComments,
  uploads: accountErrors.newAccountUploads,
  reports: accountErrors.newAccountReports,
}

/** Limit of a kind within 24 hours; undefined where there is none. */
export async function findNewAccountLimit(
  { db, clock, siteSettings }: Pick<Context, 'db' | 'clock' | 'siteSettings'>,
  userId: string,
  kind: Kind,
): Promise<number | undefined> {
  const { newAccountDays } = siteSettings.current
  if (newAccountDays === 0) return undefined
  const now = clock.now().getTime()
  const record = await findTrackRecord(db, userId, {
    shownBefore: new Date(now - dayMs),
    maxContributions: provenContributions,
  })
  if (!record) return undefined
  const { createdAt, contributions } = record
  const factor = limitFactorOf(
    { ageDays: (now - createdAt.getTime()) / dayMs, contributions },
    newAccountDays,
  )
  return factor && factor * newAccountBaseLimits[kind]
}

/** Whether a video of an account waits for approval before others see it. */
export async function mustWaitForApproval(
  { db, siteSettings }: Pick<Context, 'db' | 'siteSettings'>,
  userId: string,
): Promise<boolean> {
  return siteSettings.current.holdFirstVideos && !(await hasPublishedVideo(db, userId))
}

/** Counts a comment or report of a new account. Throws `too_many_requests` above its limit for 24 hours. */
export async function assertBelowNewAccountLimit(
  context: Pick<WebContext, 'db' | 'clock' | 'limits' | 'siteSettings'>,
  userId: string,
  kind: 'comments' | 'reports',
): Promise<void> {
  const limit = await findNewAccountLimit(context, userId, kind)
  if (limit === undefined) return
  const { db, limits } = context
  const { excess, retryAfterSeconds } = await limits.of(newAccountRateLimits)[kind].take(db, userId)
  // the counter has the base limit, of which `limit` is a multiple: above the base, it reports the excess
  const used = newAccountBaseLimits[kind] + excess
  if (used <= limit) return
  throw newAccountLimitError(context, kind, { limit, waitMs: retryAfterSeconds * 1000 }, retryAfterSeconds)
}

/** The error that names the limit of new accounts, when the next attempt may succeed, and how long an account counts as new. */
export function newAccountLimitError(
  { siteSettings }: Pick<Context, 'siteSettings'>,
  kind: Kind,
  params: { limit: number; waitMs: number },
  retryAfterSeconds?: number,
): AppError {
  const newDays = siteSettings.current.newAccountDays
  return new AppError(
    newAccountErrors[kind],
    { ...params, newDays },
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  )
}
