import { addComment, listComments } from '@kinora/contract/conversation/comments.ts'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { getVideo, listVideos, updateVideo } from '@kinora/contract/videos/videos.ts'
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createContext } from '../app/create-context.ts'
import { buildServer, createWebContext } from '../http/server.ts'
import { readConfig } from '../context/config.ts'
import { insertVideo } from '../features/videos/videos/queries/videos.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../context/migrations.ts'
import {
  noPrograms,
  programs,
  startPostgresql,
  type TestServer,
} from '../testing/servers/distribution-postgresql.ts'
import { generousLimits } from '../testing/servers/generous-limits.ts'
import { cleanUpAfterAll } from '../testing/servers/start-site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { TestClient } from '../testing/fixtures/test-client.ts'
import { registrationForm, testPassword } from '../testing/fixtures/test-users.ts'
import { videoRow } from '../testing/fixtures/test-videos.ts'

const metricsToken = 'a token of this test'
const metricsRequest = { headers: { authorization: `Bearer ${metricsToken}` } }

const polling = { timeout: 60_000, interval: 50 }

const atEnd = cleanUpAfterAll()

/** A primary with a streaming replica, and two web processes on both; `insert` adds a video of Ana's. */
async function startSite() {
  const primary = await startPostgresql({ atEnd })
  await migrate(primary.url, migrationsDirectory)
  const replica = await primary.replicate()
  const dataDir = temporaryDirectory(atEnd)
  const config = readConfig({
    ...generousLimits,
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: replica.url,
    METRICS_TOKEN: metricsToken,
  })
  const startWeb = async () => {
    const context = await createContext(config, primary.url, 'web')
    const app = await buildServer(createWebContext(context))
    atEnd(async () => {
      await app.close()
      await context.close()
    })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    return { context, origin }
  }
  const [web, other] = [await startWeb(), await startWeb()]
  const ana = new TestClient(web.origin)
  const form = await registrationForm()
  await ana.post('/api/v1/users/register', form)
  const credentials = { username: String(form.get('username')), password: testPassword }
  const { user } = await ana.call(login, { body: credentials })
  const insert = async (title: string) => {
    const row = videoRow(user._id, { title })
    await insertVideo(web.context.db, row)
    return row.id
  }
  return { primary, replica, web, other, ana, insert }
}

/** The tests share it; each leaves the replica in use. */
let site: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => {
  if (programs) site = await startSite()
})

/** Number of shared reads of a web process from each server. */
async function readsOf({ origin }: { origin: string }): Promise<{ primary: number; replica: number }> {
  const text = await (await fetch(`${origin}/metrics`, metricsRequest)).text()
  const count = (from: string) =>
    Number(new RegExp(`kinora_public_reads_total\\{server="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  return { primary: count('primary'), replica: count('replica') }
}

const readinessOf = async ({ origin }: { origin: string }) => {
  const response = await fetch(`${origin}/readyz`)
  const { notes } = (await response.json()) as { notes: { replica: string } }
  return `${response.status} ${notes.replica}`
}

const untilUsed = (web: { origin: string }) =>
  vi.waitUntil(async () => (await readinessOf(web)) === '200 used', polling)

/** Sends a request that the response cache cannot serve: each has another limit. */
let requestsCount = 0
const requestUncached = async ({ origin }: { origin: string }) => {
  const response = await fetch(`${origin}/api/v1/video/all?limit=${(requestsCount++ % 40) + 1}`)
  expect(response.status).toBe(200)
}

/** Sends requests until one is read from the given server. Under load, a few may miss the wait limit of the replica. */
const untilReadFrom = (web: { origin: string }, from: 'replica' | 'primary') =>
  vi.waitUntil(async () => {
    const before = await readsOf(web)
    await requestUncached(web)
    return (await readsOf(web))[from] > before[from]
  }, polling)

async function query(server: TestServer, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(server.url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

test('shared reads use the replica and show every confirmed write', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const { replica, web, other, ana, insert } = site
  await untilUsed(web)
  await untilUsed(other)
  const visitors = [new TestClient(web.origin), new TestClient(other.origin)]
  const before = await readsOf(web)
  for (let round = 0; round < 25; round += 1) {
    const id = await insert(`Round ${round}`)
    const params = { id }
    // The process that wrote shows the change to all clients immediately; the other one is notified of it.
    const [here, elsewhere] = visitors as [TestClient, TestClient]
    await ana.call(updateVideo, { params, body: { title: `Changed ${round}` } })
    expect((await here.call(getVideo, { params }))[0]?.title).toBe(`Changed ${round}`)
    // The writing client sees it immediately on every process.
    const anaElsewhere = ana.at(other.origin)
    expect((await anaElsewhere.call(getVideo, { params }))[0]?.title).toBe(`Changed ${round}`)
    expect((await anaElsewhere.call(listVideos, {})).items[0]?.title).toBe(`Changed ${round}`)
    await ana.call(addComment, { body: { videoId: id, content: 'Seen' } })
    expect((await here.call(listComments, { params: { videoId: id } })).items).toHaveLength(1)
    // The other process has not cached this response yet.
    expect((await elsewhere.call(listComments, { params: { videoId: id } })).items).toHaveLength(1)
    await ana.call(deleteVideo, { params })
    expect((await here.get(`/api/v1/video/${id}`)).status).toBe(404)
  }
  await untilReadFrom(web, 'replica')
  expect((await readsOf(web)).replica).toBeGreaterThan(before.replica)
  // PostgreSQL confirms what the metrics report.
  const countListsOnReplica = async () => {
    await requestUncached(web)
    const statement = `select query from pg_stat_activity
      where application_name = 'kinora web' and query like '%from videos v join%'`
    return (await query(replica, statement)).length
  }
  await expect.poll(countListsOnReplica, polling).toBeGreaterThan(0)
})

test('a lagging replica is skipped until it has caught up', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const { replica, web, ana, insert } = site
  await untilUsed(web)
  await query(replica, 'select pg_wal_replay_pause()')
  const params = { id: await insert('Before') }
  const visitor = new TestClient(web.origin)
  await ana.call(updateVideo, { params, body: { title: 'After' } })
  expect((await visitor.call(getVideo, { params }))[0]?.title).toBe('After')
  expect(await (await fetch(`${web.origin}/sitemap.xml`)).text()).toContain(params.id)
  await vi.waitUntil(
    async () => (await readinessOf(web)) === '200 not used: lags behind the primary',
    polling,
  )
  await query(replica, 'select pg_wal_replay_resume()')
  await untilUsed(web)
  await untilReadFrom(web, 'replica')
})

test('reads fall back to the primary while the replica is down', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const { replica, web, insert } = site
  const params = { id: await insert('Still here') }
  const visitor = new TestClient(web.origin)
  await untilUsed(web)
  await untilReadFrom(web, 'replica')
  await replica.stop()
  for (let round = 0; round < 20; round += 1) await requestUncached(web)
  expect((await visitor.call(getVideo, { params }))[0]?.title).toBe('Still here')
  expect(await readinessOf(web)).toContain(' not used: ')
  expect(await (await fetch(`${web.origin}/metrics`, metricsRequest)).text()).toMatch(
    /^kinora_replica_used 0$/m,
  )
  await replica.start()
  await untilUsed(web)
  await untilReadFrom(web, 'replica')
})

test('a different database is rejected as replica', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const { primary, web } = site
  await untilUsed(web)
  const stranger = await startPostgresql()
  for (const [url, reason] of [
    [stranger.url, 'not a replica of this database'],
    [primary.url, 'not a replica'],
  ]) {
    const config = { ...web.context.config, databaseReplicaUrl: url }
    const context = await createContext(config, primary.url, 'web')
    onTestFinished(() => context.close())
    const noted = async () => (await context.ready.check()).notes
    await expect.poll(noted, polling).toEqual({ replica: `not used: ${reason}` })
  }
})
