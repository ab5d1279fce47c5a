import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { drawPicture, signUp } from '../../testing/fixtures/test-users.ts'

let site: TestApp
let guarded: TestApp
const token = 'a token of this test'

beforeAll(async () => {
  ;[site, guarded] = await Promise.all([
    createTestApp(),
    createTestApp({ settings: { METRICS_TOKEN: token, TRUST_PROXY: 'true' } }),
  ])
})
afterAll(() => Promise.all([site.close(), guarded.close()]))

const bearer = { authorization: `Bearer ${token}` }
const read = async (app: TestApp, headers: Record<string, string> = {}) => {
  const response = await app.client().fetch('/metrics', { headers })
  return { status: response.status, text: await response.text() }
}

test('are not served without a configured token', async () => {
  expect((await read(site)).status).toBe(404)
  expect((await read(site, { authorization: 'Bearer ' })).status).toBe(404)
  expect((await read(site, { authorization: 'Bearer undefined' })).status).toBe(404)
})

test('are served only to requests with the token', async () => {
  expect((await read(guarded)).status).toBe(404)
  expect((await read(guarded, { authorization: 'Bearer something else' })).status).toBe(404)
  const fromAfar = { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.7' }
  expect((await read(guarded, fromAfar)).status).toBe(200)
})

test('count and time responses by route and status', async () => {
  const client = guarded.client()
  const sample = 'kinora_http_requests_total{method="GET",route="/api/v1/video/:id",status="404"}'
  const countOf = async () =>
    Number((await read(guarded, bearer)).text.split(`${sample} `)[1]?.split('\n')[0] ?? 0)
  const before = await countOf()
  for (const id of ['one', 'two"\n', 'three']) await client.get(`/api/v1/video/${encodeURIComponent(id)}`)
  await expect.poll(countOf).toBe(before + 3)
  const { text } = await read(guarded, bearer)
  expect(text).not.toContain('three')
  expect(text).toMatch(
    /^kinora_http_request_duration_seconds_bucket\{le="\+Inf",method="GET",route="\/api\/v1\/video\/:id"\} \d+$/m,
  )
  expect(text).toMatch(/^kinora_queue_jobs\{queue="playback.prepare",state="waiting"\} \d+$/m)
  expect(text).toMatch(/^kinora_database_connections\{state="busy"\} \d+$/m)
  expect(text).toMatch(/^kinora_children_cpu_seconds_total [\d.]+$/m)
})

test('count hits and misses of caches', async () => {
  const asks = async (outcome: string) => {
    const sample = `kinora_cache_requests_total{cache="responses",outcome="${outcome}"}`
    return Number((await read(guarded, bearer)).text.split(`${sample} `)[1]?.split('\n')[0] ?? 0)
  }
  const before = [await asks('hit'), await asks('miss')]
  const client = guarded.client()
  for (let n = 0; n < 20; n += 1) await client.get('/api/v1/video/all?limit=7')
  const [hits = 0, misses = 0] = [await asks('hit'), await asks('miss')].map(
    (now, n) => now - (before[n] ?? 0),
  )
  // one miss, or one per second on a slow machine
  expect(hits + misses).toBe(20)
  expect(misses).toBeGreaterThan(0)
  expect(hits).toBeGreaterThan(0)
})

test('the dashboard uses existing metrics', async () => {
  const { text } = await read(guarded, bearer)
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const dashboard = readFileSync(
    join(import.meta.dirname, '../../../../monitoring/grafana-dashboard.json'),
    'utf8',
  )
  const spoken = [...dashboard.matchAll(/\b(kinora|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
  expect(spoken.length).toBeGreaterThan(15)
  expect(spoken.filter((name) => !known.has(name))).toEqual([])
  // and of every one of ours
  expect([...known].filter((name) => name?.startsWith('kinora_') && !spoken.includes(name))).toEqual([])
})

test('a job logs the id of the request that caused it', async () => {
  const { client } = await signUp(guarded)
  const form = new FormData()
  form.set('avatar', await drawPicture(80, 80), 'new.png')
  const response = await client.fetch('/api/v1/users/updateavatar', { method: 'PATCH', body: form })
  const requestId = response.headers.get('x-request-id')
  expect(requestId).toMatch(/^\w{16}$/)
  const { rows } = await sql`
    select data->>'requestId' as request_id from pgboss.job where name = 'pictures.delete_files'`.execute(
    guarded.db,
  )
  expect(rows).toEqual([{ requestId }])
})

test('is not ready while a migration is missing or the process stops', async () => {
  const readiness = async () => {
    const response = await guarded.client().get('/readyz')
    return [response.status, JSON.parse(response.text)]
  }
  const checks = { database: 'ok', migrations: 'ok', storage: 'ok' }
  expect(await readiness()).toEqual([200, { status: 'ready', checks }])
  await sql`delete from migrations where name like '0001%'`.execute(guarded.db)
  expect(await readiness()).toEqual([
    503,
    { status: 'not ready', checks: { ...checks, migrations: '0001-baseline.sql is not applied yet' } },
  ])
  guarded.context.ready.stop()
  expect(await readiness()).toEqual([503, { status: 'not ready', checks: { process: 'is stopping' } }])
  expect((await guarded.client().get('/api/v1/video/all')).status).toBe(200)
})
