import { send, type Load, type LoadResult } from './load.ts'
import { round, datasetSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { openDataset, videoId } from './dataset.ts'

/**
 * Read latency of a popular video while its views are counted, and whether every view is counted. Two loads of the same
 * request rate show what is due to the load alone: one of empty requests, and views of another video.
 */
const seconds = 5
const wanted = 1000
/** Each viewer sends views one at a time, from an address of its own. */
const viewers = 400

const rows: Row[] = []
for (const videos of datasetSizes().slice(0, 1)) {
  const dataset = await openDataset(videos)
  try {
    const pathOf = (n: number) => `/api/v1/video/${videoId(n)}`
    const path = pathOf(0)
    const unbound: Load = {
      url: dataset.url,
      paths: [path],
      seconds,
      connections: viewers,
      method: 'PATCH',
      hasOwnAddresses: true,
    }
    const views: Load = { ...unbound, ratePerSecond: wanted }
    const reads: Load = {
      url: dataset.url,
      paths: [path],
      seconds: seconds - 1,
      connections: 4,
      ratePerSecond: 500,
    }
    const countOf = async () => {
      const body = (await (await fetch(dataset.url + path)).json()) as { data: { views: number }[] }
      return body.data[0]?.views ?? Number.NaN
    }
    /** Reads while another load runs, and what both cost. */
    const readBeside = async (other: Load) => {
      const before = dataset.cpuSeconds()
      const [sent, read] = await Promise.all([send(other), send(reads)])
      return { sent, read, cpuMs: ((dataset.cpuSeconds() - before) * 1000) / sent.requests }
    }
    const alone = await send(reads)
    const besideNothing = await readBeside({ ...views, method: 'GET', paths: ['/healthz'] })
    const besideOthers = await readBeside({ ...views, paths: [pathOf(1)] })
    const before = await countOf()
    const beside = await readBeside(views)
    const afterWanted = await countOf()
    // as fast as the viewers receive responses
    const most = await send(unbound)
    const afterMost = await countOf()
    rows.push({
      videos,
      'views/s': Math.round(beside.sent.requestsPerSecond),
      'of wanted': round(beside.sent.requestsPerSecond / wanted, 2),
      'CPU ms a view': round(beside.cpuMs, 3),
      'CPU ms per empty response': round(besideNothing.cpuMs, 3),
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
    await dataset.stop()
  }
}
report('views', { seconds, wanted, viewers }, rows)

/** Returns the number of confirmed views. Throws for any other status. */
function countedOf({ requests, statuses }: LoadResult): number {
  if (statuses['200'] !== requests) throw new Error(`views returned ${JSON.stringify(statuses)}`)
  return requests
}
