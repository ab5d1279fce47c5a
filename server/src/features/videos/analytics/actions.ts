import { setTimeout as sleep } from 'node:timers/promises'
import type { Analytics, AnalyticsPeriod, PlaybackReport } from '@kinora/contract/videos/analytics.ts'
import type { WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { reuseSlowResults } from '@kinora/platform/concurrency/reuse-slow-results.ts'
import { Batches } from '@kinora/platform/db/batches.ts'
import { TaggedCache } from '@kinora/platform/tagged-cache.ts'
import { isLargeChannel, readLargeSums } from '../videos/actions/channel-sums.ts'
import { mayViewVideo } from '../../visibility/queries.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import * as queries from './queries.ts'
import {
  averageShareOf,
  type DailyNumbers,
  mergeDays,
  numbersOf,
  retentionOf,
  toCaptions,
  toQualities,
  toSources,
} from './rules.ts'
import { playbackReportLimits } from './limits.ts'

const maxReportsPerBatch = 2000
/** Reports within this time share a commit, and those of one video a row. Players do not wait for the response. */
const reportsRestMs = 100

type Reported = NonNullable<Awaited<ReturnType<typeof queries.findReported>>>

interface Recorder {
  batches: Batches<DailyNumbers, void>
  videos: TaggedCache<Reported>
}
const recorders = new WeakMap<Db, Recorder>()

function recorderOf({ db, cacheTags }: Pick<WebContext, 'db' | 'cacheTags'>): Recorder {
  const known = recorders.get(db)
  if (known) return known
  const write = async (numbers: readonly DailyNumbers[]) => {
    await queries.insertPending(db, mergeDays(numbers))
    return []
  }
  const made = {
    batches: new Batches<DailyNumbers, void>(write, maxReportsPerBatch, () => sleep(reportsRestMs)),
    videos: new TaggedCache<Reported>(cacheTags, { maxSize: 1000 }),
  }
  recorders.set(db, made)
  return made
}

/**
 * Whether a report counts: the limits of its address, and of its network for this video, are not reached. Networks are
 * hashed with a key that changes every day.
 */
export async function takeReport(
  { limits, secret, clock }: Pick<WebContext, 'limits' | 'secret' | 'clock'>,
  videoId: string,
  { address, network }: { address: string; network: string },
): Promise<boolean> {
  const day = clock.now().toISOString().slice(0, 10)
  const key = await secret.hash(`playback ${day} ${videoId} ${network}`)
  return (
    limits.of(playbackReportLimits).ofAddress.take(address) === 0 &&
    limits.of(playbackReportLimits).ofNetwork.take(key.toString('base64url')) === 0
  )
}

/**
 * Adds a report to the numbers of its video. `findViewer` is called only where the video is not for everybody. Throws
 * `not_found` for videos that the viewer may not see.
 */
export async function addPlayback(
  context: Pick<WebContext, 'db' | 'cacheTags' | 'clock'>,
  videoId: string,
  report: PlaybackReport,
  { isCounted, findViewer }: { isCounted: boolean; findViewer: () => Promise<string | undefined> },
): Promise<void> {
  const { batches, videos } = recorderOf(context)
  const video = await videos.get(videoId, ['videos'], async () => {
    const found = await queries.findReported(context.db, videoId)
    if (!found) throw videoNotFound()
    return found
  })
  if (!video.isOpen) {
    const viewerId = await findViewer()
    if (viewerId === undefined || !(await mayViewVideo(context.db, videoId, viewerId))) throw videoNotFound()
  }
  const numbers = isCounted ? numbersOf(report, video.durationSeconds) : undefined
  if (!numbers) return
  await batches.add({ ...numbers, videoId, day: context.clock.now().toISOString().slice(0, 10) })
}

/** Adds up to `limit` pending rows to the stored numbers, in one transaction. Returns how many there were. */
export function foldPlaybacks(db: Db, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const pending = await queries.takePending(transaction, limit)
    if (pending.length === 0) return 0
    const added = mergeDays(pending)
    const stored = await queries.listStored(transaction, added)
    await queries.upsertStored(transaction, mergeDays([...stored, ...added]))
    return pending.length
  })
}

/** Analytics of a video or a channel. The caller checks who may read them. */
async function getAnalytics(db: Db, scope: queries.Scope, period: queries.Period): Promise<Analytics> {
  const { playbacks, watchedSeconds, retention } = await queries.getSums(db, scope, period)
  const days = await queries.listDays(db, scope, period)
  const sources = await queries.listCounts(db, scope, period, 'sources')
  const captions = await queries.listCounts(db, scope, period, 'captions')
  const qualities = await queries.listCounts(db, scope, period, 'qualities')
  const shownParts = retention.reduce((sum, count) => sum + count, 0)
  return {
    totals: {
      views: days.reduce((sum, { views }) => sum + views, 0),
      playbacks,
      watchedSeconds,
      averageShare: averageShareOf(playbacks, shownParts),
    },
    days,
    retention: retentionOf(playbacks, retention),
    sources: toSources(sources),
    captions: toCaptions(captions),
    qualities: toQualities(qualities),
  }
}

/** Analytics of a video. Parts of what it showed before its last cut are others. The caller checks who may read them. */
export async function getVideoAnalytics(db: Db, videoId: string, period: queries.Period): Promise<Analytics> {
  const analytics = await getAnalytics(db, { videoId }, period)
  const cut = await queries.findLastCut(db, videoId, period)
  if (!cut) return analytics
  const { playbacks, retention } = await queries.getSums(db, { videoId }, { ...period, days: cut.daysSince })
  return {
    ...analytics,
    retention: retentionOf(playbacks, retention),
    retentionSinceCut: { day: cut.nextDay, playbacks },
  }
}

type ChannelAnalytics = Analytics & { videos: queries.TopVideo[] }

const readChannel = async (db: Db, ownerId: string, period: queries.Period): Promise<ChannelAnalytics> => ({
  ...(await getAnalytics(db, { ownerId }, period)),
  videos: await queries.listTopVideos(db, ownerId, period),
})

const readLargeChannel = reuseSlowResults(
  (context: Pick<WebContext, 'db' | 'limits'>, ownerId: string, period: queries.Period) =>
    readLargeSums(context, ownerId, 'analytics', (db) => readChannel(db, ownerId, period)),
)

/**
 * Analytics of an owner's videos, with the most watched ones. Those of a large channel may be up to an hour old, for calls
 * with the same context.
 */
export async function getChannelAnalytics(
  context: Pick<WebContext, 'db' | 'limits'>,
  ownerId: string,
  period: queries.Period,
): Promise<ChannelAnalytics> {
  const isLarge = await isLargeChannel(context.db, ownerId)
  return isLarge ? readLargeChannel(context, ownerId, period) : readChannel(context.db, ownerId, period)
}

/** The days of a period up to today. */
export function periodOf(period: AnalyticsPeriod | undefined, now: Date): queries.Period {
  return {
    today: now.toISOString().slice(0, 10),
    days: period === 'all' ? null : Number(period ?? '28'),
  }
}
