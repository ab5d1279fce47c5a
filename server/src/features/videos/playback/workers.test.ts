import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { publishSource } from '../../../testing/fixtures/test-sources.ts'
import { prepareVideo } from './actions/prepare-video.ts'

let site: TestApp
const workers: ChildProcess[] = []

beforeAll(async () => {
  site = await createTestApp({ settings: { SEGMENT_WAIT_SECONDS: '250' } })
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await site.close()
}, 60_000)

/** A worker as a process of its own. */
function startWorker(settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const worker = spawn(process.execPath, [path.join(import.meta.dirname, '../../../bin/worker.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: site.databaseUrl,
      DATA_DIR: site.context.config.dataDir,
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  workers.push(worker)
  return worker
}

async function jobState(videoId: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select state::text as state from pgboss.job
    where name = 'playback.make_segment' and data->>'videoId' = ${videoId}`.execute(site.db)
  return rows[0]?.state
}

/** Large pictures in ten bits: whatever is made of them takes long. */
const heavy = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p10le -g 250 -an'

test(
  'what a killed worker was making is made by another soon',
  { tags: ['nightly'], timeout: 300_000 },
  async () => {
    const { id } = await publishSource(site, 'heavy.mp4', heavy, '1280x720')
    const first = startWorker()
    const reply = fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/720/1.m4s`)
    await expect.poll(() => jobState(id), { timeout: 150_000, interval: 20 }).toBe('active')
    const second = startWorker()
    first.kill('SIGKILL')
    await expect
      .poll(
        async () => {
          const { rows } = await sql`
          select 1 from pgboss.job where name = 'playback.make_segment' and data->>'videoId' = ${id}
            and (retry_count > 0 or state = 'completed') and state in ('active', 'completed')`.execute(
            site.db,
          )
          return rows.length
        },
        // it is missed within 15 s; a job that merely takes too long would be given up after minutes
        { timeout: 150_000, interval: 100 },
      )
      .toBe(1)
    const response = await reply
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
    second.kill('SIGTERM')
  },
)

test(
  'who watches does not wait for what is made in the background',
  { tags: ['nightly'], timeout: 300_000 },
  async () => {
    const { id } = await publishSource(site, 'behind.mp4', heavy, '1920x1080')
    await prepareVideo(site.context, id)
    const preparation = async () => {
      const { rows } = await sql<{ state: string }>`
      select state::text as state from pgboss.job
      where name = 'playback.prepare' and data->>'videoId' = ${id}`.execute(site.db)
      return rows[0]?.state
    }
    const worker = startWorker()
    await expect.poll(preparation, { timeout: 150_000, interval: 20 }).toBe('active')
    // one small segment, beside two of every rendition
    const response = await fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/240/2.m4s`)
    expect([response.status, await preparation()]).toEqual([200, 'active'])
    worker.kill('SIGKILL')
  },
)

test(
  'a worker serves its health and, for those with the token, its metrics',
  { timeout: 300_000 },
  async () => {
    const port = await findQuietPort()
    const worker = startWorker({
      HOST: '127.0.0.1',
      METRICS_PORT: String(port),
      METRICS_TOKEN: 'a token of the worker',
    })
    const get = (address: string, headers = {}) => fetch(`http://127.0.0.1:${port}${address}`, { headers })
    await expect
      .poll(
        () =>
          get('/healthz').then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 150_000 },
      )
      .toBe(200)
    const ready = await get('/readyz')
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: expect.objectContaining({ database: 'ok' }) },
    ])
    expect((await get('/metrics')).status).toBe(404)
    const metrics = await get('/metrics', { authorization: 'Bearer a token of the worker' })
    expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('# TYPE kinora_')])
    worker.kill('SIGTERM')
  },
)
