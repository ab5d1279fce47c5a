import { send, type Load, type LoadResult } from './load.ts'
import { round, worldSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { openWorld, videoId } from './world.ts'

/**
 * Does a video that everybody watches at once stay as fast to read, and is every view counted? What part of it is only
 * that the web process has as many requests to answer, two other loads of as many show: one that asks it for nothing, and
 * views of another video.
 */
const seconds = 5
const wanted = 5000
/** Each viewer waits for the answer to a view before sending the next; one address may have 500 requests answered at once. */
const viewers = 400

const rows: Row[] = []
for (const videos of worldSizes().slice(0, 1)) {
  const world = await openWorld(videos)
  try {
    const pathOf = (n: number) => `/api/v1/video/${videoId(n)}`
    const path = pathOf(0)
    const unbound: Load = { url: world.url, paths: [path], seconds, connections: viewers, method: 'PATCH' }
    const views: Load = { ...unbound, ratePerSecond: wanted }
    const reads: Load = {
      url: world.url,
      paths: [path],
      seconds: seconds - 1,
      connections: 4,
      ratePerSecond: 500,
    }
    const countOf = async () => {
      const answer = (await (await fetch(world.url + path)).json()) as { data: { views: number }[] }
      return answer.data[0]?.views ?? Number.NaN
    }
    /** Reads while another load runs, and what both cost. */
    const readBeside = async (other: Load) => {
      const before = world.cpuSeconds()
      const [sent, read] = await Promise.all([send(other), send(reads)])
      return { sent, read, cpuMs: ((world.cpuSeconds() - before) * 1000) / sent.requests }
    }
    const alone = await send(reads)
    const besideNothing = await readBeside({ ...views, method: 'GET', paths: ['/healthz'] })
    const besideOthers = await readBeside({ ...views, paths: [pathOf(1)] })
    const before = await countOf()
    const beside = await readBeside(views)
    const afterWanted = await countOf()
    // as fast as so many viewers get their answers
    const most = await send(unbound)
    const afterMost = await countOf()
    rows.push({
      videos,
      'views/s': Math.round(beside.sent.requestsPerSecond),
      'of wanted': round(beside.sent.requestsPerSecond / wanted, 2),
      'CPU ms a view': round(beside.cpuMs, 3),
      'CPU ms an answer of nothing': round(besideNothing.cpuMs, 3),
      'view p95, ms': round(beside.sent.p95, 1),
      'reads p50 alone, ms': round(alone.p50, 2),
      'beside nothing': round(besideNothing.read.p50, 2),
      'beside views of another': round(besideOthers.read.p50, 2),
      'beside its own': round(beside.read.p50, 2),
      'reads p95 alone, ms': round(alone.p95, 2),
      'p95 beside nothing': round(besideNothing.read.p95, 2),
      'p95 beside views of another': round(besideOthers.read.p95, 2),
      'p95 beside its own': round(beside.read.p95, 2),
      lost: countedOf(beside.sent) - (afterWanted - before),
      'most views/s': Math.round(most.requestsPerSecond),
      'of them lost': countedOf(most) - (afterMost - afterWanted),
    })
  } finally {
    await world.stop()
  }
}
report('views', { seconds, wanted, viewers }, rows)

/** Views that were answered with success; any other answer would be an error of the bench. */
function countedOf({ requests, statuses }: LoadResult): number {
  if (statuses['200'] !== requests) throw new Error(`views were answered ${JSON.stringify(statuses)}`)
  return requests
}
