import { send, type Load } from './load.ts'
import { round, worldSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { openWorld, videoId } from './world.ts'

/** Does a video that everybody watches at once stay as fast to read, and is every view counted? */
const seconds = 5
const wanted = 5000

const rows: Row[] = []
for (const videos of worldSizes().slice(0, 1)) {
  const world = await openWorld(videos)
  try {
    const path = `/api/v1/video/${videoId(0)}`
    const views: Load = { url: world.url, paths: [path], method: 'PATCH', seconds, connections: 64 }
    const reads: Load = { url: world.url, paths: [path], seconds, connections: 4, ratePerSecond: 500 }
    const countOf = async () => {
      const answer = (await (await fetch(world.url + path)).json()) as { data: { views: number }[] }
      return answer.data[0]?.views ?? Number.NaN
    }
    const alone = await send(reads)
    const before = await countOf()
    const cpuBefore = world.cpuSeconds()
    const [counted, beside] = await Promise.all([
      send({ ...views, ratePerSecond: wanted }),
      send({ ...reads, seconds: seconds - 1 }),
    ])
    const cpu = world.cpuSeconds() - cpuBefore
    const afterWanted = await countOf()
    // as fast as 64 viewers get their answers
    const most = await send(views)
    const afterMost = await countOf()
    rows.push({
      videos,
      'views/s': Math.round(counted.requestsPerSecond),
      'of wanted': round(counted.requestsPerSecond / wanted, 2),
      'CPU ms a view': round((cpu * 1000) / counted.requests, 3),
      'view p95, ms': round(counted.p95, 1),
      'reads p50 alone, ms': round(alone.p50, 2),
      'reads p50 beside, ms': round(beside.p50, 2),
      'reads p95 alone, ms': round(alone.p95, 2),
      'reads p95 beside, ms': round(beside.p95, 2),
      lost: counted.requests - (afterWanted - before),
      'most views/s': Math.round(most.requestsPerSecond),
      'of them lost': most.requests - (afterMost - afterWanted),
    })
  } finally {
    await world.stop()
  }
}
report('views', { seconds, wanted }, rows)
