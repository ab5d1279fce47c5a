import { newAccountLimits, provenContributions } from '@kinora/contract/new-accounts.ts'
import type { Context, WebContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { hasPublishedVideo, isUnproven } from './queries.ts'

type Kind = keyof typeof newAccountLimits

const hourMs = 3600 * 1000
const dayMs = 24 * hourMs

const deeds: Record<Kind, string> = { comments: 'write', uploads: 'begin', reports: 'send' }

/** Whether the site limits an account, because it is new and has not published much that stayed. */
export async function isNewAccount(
  { db, clock, siteSettings }: Pick<Context, 'db' | 'clock' | 'siteSettings'>,
  userId: string,
): Promise<boolean> {
  const { newAccountDays } = siteSettings.current
  if (newAccountDays === 0) return false
  const now = clock.now().getTime()
  return isUnproven(db, userId, {
    since: new Date(now - newAccountDays * dayMs),
    shownBefore: new Date(now - dayMs),
    contributions: provenContributions,
  })
}

/** Whether a video of an account waits for approval before others see it. */
export async function mustWaitForApproval(
  { db, siteSettings }: Pick<Context, 'db' | 'siteSettings'>,
  userId: string,
): Promise<boolean> {
  return siteSettings.current.holdFirstVideos && !(await hasPublishedVideo(db, userId))
}

/** Counts a comment or report of a new account. Throws `too_many_requests` above its limit for 24 hours. */
export async function assertNewAccountMay(
  context: Pick<WebContext, 'db' | 'clock' | 'limits' | 'siteSettings'>,
  userId: string,
  kind: 'comments' | 'reports',
): Promise<void> {
  if (!(await isNewAccount(context, userId))) return
  const { db, limits } = context
  const limit = kind === 'comments' ? limits.newAccountComments : limits.newAccountReports
  const { excess, retryAfterSeconds } = await limit.take(db, userId)
  if (excess === 0) return
  const message = newAccountMessage(context, kind, retryAfterSeconds * 1000)
  throw new AppError('too_many_requests', message, { retryAfterSeconds })
}

/** Names the limit of new accounts, when the next attempt may succeed, and how long an account counts as new. */
export function newAccountMessage(
  { siteSettings }: Pick<Context, 'siteSettings'>,
  kind: Kind,
  waitMs: number,
): string {
  const { newAccountDays } = siteSettings.current
  const wait =
    waitMs > hourMs
      ? plural(Math.ceil(waitMs / hourMs), 'hour')
      : plural(Math.max(1, Math.ceil(waitMs / 60_000)), 'minute')
  return `New accounts can ${deeds[kind]} ${newAccountLimits[kind]} ${kind} in 24 hours. Try again in ${wait}. The limit ends ${plural(newAccountDays, 'day')} after you registered.`
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
