import { setTimeout as sleep } from 'node:timers/promises'
import { type Video, VideoProcessing } from '@kinora/contract/videos.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database.ts'
import { Batches } from '../../platform/db/batches.ts'
import { AppError } from '../../platform/errors.ts'
import { listTakenDown } from '../pictures/queries.ts'
import { deleteVideoFiles, foldPendingViews } from './jobs.ts'
import * as queries from './queries.ts'
import { HIDDEN_PREFIX, hiddenKey, idOfHidden } from './rules.ts'

/** Throws `forbidden` for anybody but the owner. */
function demandOwner(video: { ownerId: string }, userId: string): void {
  if (video.ownerId !== userId) throw new AppError('forbidden', 'This video is not yours')
}

/** Locks a video for its owner until the end of the transaction. Throws `not_found`, or `forbidden` for anybody else. */
export async function lockOwnVideo(db: Db, id: string, userId: string): Promise<void> {
  demandOwner(await queries.lockVideo(db, id), userId)
}

/** Changes title and description of an own video; what is undefined stays. */
export async function updateOwnVideo(
  { db }: Pick<Context, 'db'>,
  id: string,
  userId: string,
  changes: { title?: string | undefined; description?: string | undefined },
): Promise<Video> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, id, userId)
    await queries.updateVideo(transaction, id, changes)
    return queries.getVideo(transaction, id)
  })
}

type DeleteContext = Pick<Context, 'db' | 'jobs' | 'storage' | 'log'>

/** What was being made when its video went is deleted by whoever made it, or where that one was killed by the second deletion. */
const secondDeletionSeconds = 600

/** Deletes an own video: the rows at once, the files by a job that exists as soon as the rows are gone. */
export async function deleteOwnVideo(context: DeleteContext, id: string, userId: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const video = await queries.lockAnyVideo(transaction, id)
    const isHidden = video.takedownReason !== null && video.ownerId !== userId
    if (isHidden) throw queries.videoNotFound()
    demandOwner(video, userId)
    await deleteLockedVideo({ ...context, db: transaction }, id, video.thumbnail)
  })
}

/** The same for a video of anybody, as operators may. Throws `not_found`. */
export async function deleteAnyVideo(context: DeleteContext, id: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const { thumbnail } = await queries.lockAnyVideo(transaction, id)
    await deleteLockedVideo({ ...context, db: transaction }, id, thumbnail)
  })
}

/** The rest of a deletion, for the transaction that holds the video's lock. */
export async function deleteLockedVideo(
  { db, jobs, storage, log }: DeleteContext,
  id: string,
  thumbnail: string,
): Promise<void> {
  // where nothing can be stored, the files still go as soon as the job runs
  await hideFiles({ storage }, id).catch((error: unknown) =>
    log.warn({ err: error, videoId: id }, 'files of a deleted video could not be hidden'),
  )
  await queries.deleteVideo(db, id)
  for (const delaySeconds of [0, secondDeletionSeconds]) {
    const isLast = delaySeconds > 0
    await jobs.enqueue(db, deleteVideoFiles, { id, thumbnail, isLast }, { delaySeconds })
  }
}

/** Hides a video from everybody but its owner, who reads the reason. Throws `not_found`. */
export async function takeDown(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  id: string,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { thumbnail } = await queries.lockAnyVideo(transaction, id)
    for (const mark of [id, thumbnail]) await hideFiles({ storage }, mark)
    await queries.updateTakedown(transaction, id, reason)
  })
}

/** Brings a video back that was taken down. Throws `not_found`. */
export async function reinstate({ db, storage }: Pick<Context, 'db' | 'storage'>, id: string): Promise<void> {
  await queries.updateTakedown(db, id, null)
  await showFiles({ db, storage }, id)
}

/**
 * Makes the marks what the rows say, after a killed process, a restored backup or a moved storage. A mark too many costs
 * a question, one too few would show what is taken down.
 */
export async function matchHidden({ db, storage }: Pick<Context, 'db' | 'storage'>): Promise<void> {
  const takenDown = new Set((await listTakenDown(db)).flatMap(({ id, thumbnail }) => [id, thumbnail]))
  for (const id of takenDown) await hideFiles({ storage }, id)
  for await (const { key } of storage.list(HIDDEN_PREFIX)) {
    const id = idOfHidden(key)
    if (!takenDown.has(id)) await showFiles({ db, storage }, id)
  }
}

/** Marks the files of a video, or those of its thumbnail: a web server that sends them by itself asks us from now on. In a bucket there is none. */
async function hideFiles({ storage }: Pick<Context, 'storage'>, id: string): Promise<void> {
  const key = hiddenKey(id)
  if (storage.pathOf(key) === undefined || (await storage.find(key))) return
  await storage.put(key, new Uint8Array())
}

/** Takes the mark off again, unless nobody may see the video: what hides it marks it under the same lock. */
async function showFiles({ db, storage }: Pick<Context, 'db' | 'storage'>, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const video = await queries.lockShownVideo(transaction, id)
    for (const mark of video ? [video.id, video.thumbnail] : []) await storage.delete(hiddenKey(mark))
  })
}

const rowsPerFold = 100
const maxViewsPerBatch = 2000
/** What comes within it is one commit. */
const viewsRestMs = 8

type ViewContext = Pick<Context, 'db' | 'jobs' | 'answers' | 'log'>

interface View {
  videoId: string
  viewedAt: Date
}

/** Counts a view, and raises what the answers kept ready show. Throws `not_found`. */
export async function addView(context: ViewContext & Pick<Context, 'clock'>, videoId: string): Promise<void> {
  const isKnown = await viewsOf(context).add({ videoId, viewedAt: context.clock.now() })
  if (!isKnown) throw queries.videoNotFound()
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
    ({ videoId, viewedAt }) => `${viewedAt.toISOString().slice(0, 10)} ${videoId}`,
  )
  const together = [...byDay.values()].flatMap((group) => {
    const last = group.at(-1)
    return last ? [{ ...last, count: group.length }] : []
  })
  const seen = await queries.insertViews(db, together)
  const counts = new Map(seen.map(({ id, views: count }) => [id, { views: count }]))
  answers.raise(counts)
  if (seen.some(({ number }) => number % rowsPerFold === 0)) {
    // The views are counted already; without it they are folded in a minute later.
    jobs
      .enqueue(db, foldPendingViews, {}, { key: 'now' })
      .catch((error: unknown) => log.warn({ err: error }, 'folding of views could not be asked for'))
  }
  return views.map(({ videoId }) => counts.has(videoId))
}

/**
 * Raises what the answers kept ready show by what other processes count. Views that come to two processes at the same
 * moment may both miss the other's in there, until the next view or until the answer is made anew.
 */
export function hearViews({ signals, answers }: Pick<Context, 'signals' | 'answers'>): Promise<() => void> {
  return signals.listen('views', (message) => {
    const counts = Object.entries(queries.ViewCounts.parse(JSON.parse(message)))
    answers.raise(new Map(counts.map(([id, views]) => [id, { views }])))
  })
}

/** Calls `listener` with every change in the preparation of an owner's videos, until this is disposed. */
export async function onProcessing(
  { signals }: Pick<Context, 'signals'>,
  ownerId: string,
  listener: (change: VideoProcessing) => void,
): Promise<Disposable> {
  const unlisten = await signals.listen(queries.processingTopic(ownerId), (message) =>
    listener(VideoProcessing.parse(JSON.parse(message))),
  )
  return { [Symbol.dispose]: unlisten }
}
