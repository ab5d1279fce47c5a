import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, WebContext } from '../../../context.ts'
import type { Db } from '../../../database.ts'
import { Batches } from '../../../platform/db/batches.ts'
import { foldPendingViews } from '../jobs.ts'
import { mayViewVideo } from '../../visibility/queries.ts'
import { videoNotFound } from '../queries/videos.ts'
import { insertViews, ViewCounts } from '../queries/views.ts'

const rowsPerFold = 100
const maxViewsPerBatch = 2000
/** What comes within it is one commit. */
const viewsRestMs = 8

type ViewContext = Pick<WebContext, 'db' | 'jobs' | 'answers' | 'log'>

interface View {
  videoId: string
  viewedAt: Date
  /** Whether the viewer is known to be one of those who may see a video that is not for everybody. */
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
 * Whether a view counts: every one does up to the limits of its viewer, network and address. Viewers are identified by
 * hashes that change every day, so that no visits are stored.
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
    limits.viewsOfViewer.take(viewer) === 0 &&
    limits.viewsOfNetwork.take(await keyOf(`network ${network}`)) === 0 &&
    limits.views.take(address) === 0
  )
}

/** Counts a view, and raises what the answers kept ready show. Throws `not_found`. */
export async function addView(
  context: ViewContext & Pick<Context, 'clock'>,
  videoId: string,
  viewerId: string | null = null,
): Promise<void> {
  const view = { videoId, viewedAt: context.clock.now() }
  if (await viewsOf(context).add({ ...view, isAllowed: false })) return
  // most videos are for everybody, so that nobody's right is looked up before
  const isAllowed = viewerId !== null && (await mayViewVideo(context.db, videoId, viewerId))
  if (!isAllowed || !(await viewsOf(context).add({ ...view, isAllowed }))) throw videoNotFound()
}

const viewBatches = new WeakMap<Db, Batches<View, boolean>>()

/**
 * What comes while views are being written, or shortly after, is written together: one commit, and one row for each
 * video, however many watch at once. Nobody waits for the answer to a view.
 */
function viewsOf({ db, jobs, answers, log }: ViewContext): Batches<View, boolean> {
  const known = viewBatches.get(db)
  if (known) return known
  const made = new Batches(
    (views: readonly View[]) => addViews({ db, jobs, answers, log }, views),
    maxViewsPerBatch,
    () => sleep(viewsRestMs),
  )
  viewBatches.set(db, made)
  return made
}

/**
 * Answers of each whether there is such a video. Rows are folded in every minute, and at once after every hundredth: where
 * many watch, no answer has many to add up.
 */
async function addViews({ db, jobs, answers, log }: ViewContext, views: readonly View[]): Promise<boolean[]> {
  const byDay = Map.groupBy(
    views,
    ({ videoId, viewedAt, isAllowed }) => `${viewedAt.toISOString().slice(0, 10)} ${videoId} ${isAllowed}`,
  )
  const together = [...byDay.values()].flatMap((group) => {
    const last = group.at(-1)
    return last ? [{ ...last, count: group.length }] : []
  })
  const seen = await insertViews(db, together)
  const counts = new Map(seen.map(({ id, views: count }) => [id, { views: count }]))
  answers.raise(counts)
  if (seen.some(({ number }) => number % rowsPerFold === 0)) {
    // The views are counted already; without it they are folded in a minute later.
    jobs
      .enqueue(db, foldPendingViews, {}, { key: 'now' })
      .catch((error: unknown) => log.warn({ err: error }, 'folding of views could not be asked for'))
  }
  const isOpen = new Map(seen.map((video) => [video.id, video.isOpen]))
  return views.map(
    ({ videoId, isAllowed }) => isOpen.has(videoId) && (isAllowed || isOpen.get(videoId) === true),
  )
}

/**
 * Raises what the answers kept ready show by what other processes count. Views that come to two processes at the same
 * moment may both miss the other's in there, until the next view or until the answer is made anew.
 */
export function hearViews({
  signals,
  answers,
}: Pick<WebContext, 'signals' | 'answers'>): Promise<() => void> {
  return signals.listen('views', (message) => {
    const counts = Object.entries(ViewCounts.parse(JSON.parse(message)))
    answers.raise(new Map(counts.map(([id, views]) => [id, { views }])))
  })
}
