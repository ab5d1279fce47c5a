import { setTimeout as sleep } from 'node:timers/promises'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { Client } from 'pg'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { startProduct, type Product } from '../product.ts'

/** Runs `work` with a site that has the given PREPARE_POLICY. */
export async function withSite<Result>(
  policy: 'all' | 'popular' | 'none',
  work: (site: Product) => Promise<Result>,
): Promise<Result> {
  // the benchmark must run on a nearly full disk too
  const site = await startProduct({
    PREPARE_POLICY: policy,
    CACHE_MAX_DISK_PERCENT: '99',
    LOG_LEVEL: 'silent',
  })
  try {
    return await work(site)
  } finally {
    await site.stop()
  }
}

/** Returns the URL of a file of a video's stream. */
export function segmentUrl(site: Product, { _id }: Video, track: string, file: string): string {
  return `${site.url}/media/videos/${_id}/${SEGMENT_FORMAT}/${track}/${file}`
}

/** Waits until background preparation is idle. */
export async function untilIdle({ databaseUrl }: Product): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    for (;;) {
      const { rowCount } = await client.query(
        `select 1 from pgboss.job where name in ('playback.prepare', 'playback.make_run', 'playback.make_segment')
         and state in ('created', 'retry', 'active') limit 1`,
      )
      if (rowCount === 0) return
      await sleep(100)
    }
  } finally {
    await client.end()
  }
}

export async function deleteVideo({ url, cookie }: Product, { _id }: Video): Promise<void> {
  const headers = { cookie, origin: url }
  const response = await fetch(`${url}/api/v1/video/${_id}`, { method: 'DELETE', headers })
  if (!response.ok) throw new Error(`Deleting returned ${response.status}`)
}
