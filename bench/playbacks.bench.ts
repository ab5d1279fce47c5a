import { Client } from 'pg'
import { send, type Load } from './load.ts'
import { round, datasetSizes } from './reads.ts'
import { report, type Row } from './report.ts'
import { openDataset, videoId } from './dataset.ts'

/**
 * Read latency of a popular video while its players report what they played, and whether every report counts. A load of
 * empty requests shows what is due to the load alone.
 */
const seconds = 5
const wanted = 1000
/** Each viewer sends reports one at a time, from an address of its own. */
const viewers = 400

const rows: Row[] = []
for (const videos of datasetSizes().slice(0, 1)) {
  const dataset = await openDataset(videos)
  const client = new Client(dataset.databaseUrl)
  try {
    await client.connect()
    const path = `/api/v1/video/${videoId(0)}`
    const reports: Load = {
      url: dataset.url,
      paths: [`${path}/playback`],
      seconds,
      connections: viewers,
      ratePerSecond: wanted,
      method: 'POST',
      hasOwnAddresses: true,
      body: {
        isFirst: true,
        watchedSeconds: 4,
        parts: Array.from({ length: 60 }, (_, part) => part),
        source: 'search',
        captions: null,
        lines: 720,
      },
    }
    const reads: Load = {
      url: dataset.url,
      paths: [path],
      seconds: seconds - 1,
      connections: 4,
      ratePerSecond: 500,
    }
    const countPlaybacks = async () => {
      const counted = await client.query<{ playbacks: string }>(
        `select sum(playbacks) as playbacks from (
          select playbacks from daily_playbacks union all select playbacks from pending_playbacks
        ) reported`,
      )
      return Number(counted.rows[0]?.playbacks ?? 0)
    }
    /** Reads while another load runs, and what both cost. */
    const readBeside = async (other: Load) => {
      const before = dataset.cpuSeconds()
      const [sent, read] = await Promise.all([send(other), send(reads)])
      return { sent, read, cpuMs: ((dataset.cpuSeconds() - before) * 1000) / sent.requests }
    }
    const alone = await send(reads)
    const { body: _, ...empty } = reports
    const besideNothing = await readBeside({ ...empty, method: 'GET', paths: ['/healthz'] })
    const before = await countPlaybacks()
    const beside = await readBeside(reports)
    if (beside.sent.statuses['200'] !== beside.sent.requests)
      throw new Error(`Reports returned ${JSON.stringify(beside.sent.statuses)}`)
    rows.push({
      videos,
      'reports/s': Math.round(beside.sent.requestsPerSecond),
      'CPU ms a report': round(beside.cpuMs, 3),
      'CPU ms per empty response': round(besideNothing.cpuMs, 3),
      'reads p50 alone, ms': round(alone.p50, 2),
      'p50 beside nothing': round(besideNothing.read.p50, 2),
      'p50 beside reports': round(beside.read.p50, 2),
      'reads p95 alone, ms': round(alone.p95, 2),
      'p95 beside nothing': round(besideNothing.read.p95, 2),
      'p95 beside reports': round(beside.read.p95, 2),
      lost: beside.sent.requests - ((await countPlaybacks()) - before),
    })
  } finally {
    await client.end()
    await dataset.stop()
  }
}
report('playbacks', { seconds, wanted, viewers }, rows)
