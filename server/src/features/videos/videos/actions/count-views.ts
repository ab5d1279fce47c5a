import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, WebContext } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { Batches } from '@kinora/platform/db/batches.ts'
import { foldPendingViews } from '../jobs.ts'
import { mayViewVideo, type ShareVisit } from '../../../visibility/queries.ts'
import { videoNotFound } from '../queries/videos.ts'
import { insertViews } from '../queries/views.ts'
import { viewLimits } from '../limits.ts'

const rowsPerFold = 100
const maxViewsPerBatch = 2000
/** Views within this time share one commit. */
const viewBatchDelayMs = 8

type ViewContext = Pick<WebContext, 'db' | 'jobs' | 'log'>

interface View {
  videoId: string
  viewedAt: Date
  /** Whether the viewer may see a video that is not public. */
  isAllowed: boolean
}

export interface ViewFrom {
  /** Undefined when signed out. */
  userId: string | undefined
  address: string
  network: string
  agent: string
}

/**
 * Returns whether a view counts: the limits of its viewer, network and address are not reached. Viewers are identified
 * by hashes that change every day, so that no visits are stored.
 */
export async function takeView(
  { limits, secret, clock }: Pick<WebContext, 'limits' | 'secret' | 'clock'>,
  videoId: string,
  { userId, address, network, agent }: ViewFrom,
): Promise<boolean> {
  const day = clock.now().toISOString().slice(0, 10)
  const keyOf = async (who: string) =>
    (await secret.hash(`view ${day} ${videoId} ${who}`)).toString('base64url')
  const viewer = await keyOf(userId === undefined ? `visitor ${address} ${agent}` : `user ${userId}`)
  return (
    limits.of(viewLimits).ofViewer.take(viewer) === 0 &&
    limits.of(viewLimits).ofNetwork.take(await keyOf(`network ${network}`)) === 0 &&
    limits.of(viewLimits).ofAddress.take(address) === 0
  )
}

/** Counts a view. Throws `not_found`. */
export async function addView(
  context: ViewContext & Pick<Context, 'clock'>,
  videoId: string,
  viewerId: string | ShareVisit | null = null,
): Promise<void> {
  const view = { videoId, viewedAt: context.clock.now() }
  if (await viewsOf(context).add({ ...view, isAllowed: false })) return
  // Most videos are public: the viewer's permission is looked up only for the others.
  const isAllowed = viewerId !== null && (await mayViewVideo(context.db, videoId, viewerId))
  if (!isAllowed || !(await viewsOf(context).add({ ...view, isAllowed }))) throw videoNotFound()
}

const viewBatches = new WeakMap<Db, Batches<View, boolean>>()

/**
 * Batches views that arrive while others are being written: one commit, and one row per video. The delay does not
 * matter, as players do not wait for the response.
 */
function viewsOf({ db, jobs, log }: ViewContext): Batches<View, boolean> {
  const known = viewBatches.get(db)
  if (known) return known
  const made = new Batches(
    (views: readonly View[]) => addViews({ db, jobs, log }, views),
    maxViewsPerBatch,
    () => sleep(viewBatchDelayMs),
  )
  viewBatches.set(db, made)
  return made
}

/**
 * Returns for each view whether it counted. Pending rows are merged into the counter every minute, and immediately after
 * every hundredth row, so that a read never adds up many.
 */
async function addViews({ db, jobs, log }: ViewContext, views: readonly View[]): Promise<boolean[]> {
  const byDay = Map.groupBy(
    views,
    ({ videoId, viewedAt, isAllowed }) => `${viewedAt.toISOString().slice(0, 10)} ${videoId} ${isAllowed}`,
  )
  const together = [...byDay.values()].flatMap((group) => {
    const last = group.at(-1)
    return last ? [{ ...last, count: group.length }] : []
  })
  const seen = await insertViews(db, together)
  if (seen.some(({ number }) => number % rowsPerFold === 0)) {
    // The views are counted already; without it they are folded in a minute later.
    jobs
      .enqueue(db, foldPendingViews, {}, { key: 'now' })
      .catch((error: unknown) => log.warn({ err: error }, 'views: failed to enqueue merge'))
  }
  const isOpen = new Map(seen.map((video) => [video.id, video.isOpen]))
  return views.map(
    ({ videoId, isAllowed }) => isOpen.has(videoId) && (isAllowed || isOpen.get(videoId) === true),
  )
}
