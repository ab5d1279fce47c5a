import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../testing/fixtures/test-users.ts'

test(
  'responds to every request of a flood with a result or 503, and serves the next client',
  { timeout: 120_000 },
  async () => {
    const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '10' } })
    onTestFinished(() => site.close())
    const flood = async (name: string) => {
      const responses = await Promise.all(
        Array.from({ length: 400 }, (_, at) => site.client().get(`/api/v1/video/search/${name}${at}`)),
      )
      for (const { status, headers, body } of responses) {
        expect([status, headers.get('retry-after'), body.success]).toEqual(
          status === 200 ? [200, null, true] : [503, '2', false],
        )
      }
      return responses.filter(({ status }) => status === 200).length
    }
    expect(await flood('free')).toBeGreaterThan(0)
    // the limit of one client
    await using _ = await keepWaiting(site, ['127.0.0.1', '127.0.0.1', '127.0.0.1'])
    expect(await flood('taken')).toBe(0)
  },
)

test('returns 503 above the limit and accepts requests again below it', async () => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '3', TRUST_PROXY: 'true' } })
  onTestFinished(() => site.close())
  await using waiting = await keepWaiting(site, ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  const refused = await site.client().get('/api/v1/video/all')
  expect([refused.status, refused.headers.get('retry-after'), refused.body.code]).toEqual([
    503,
    '2',
    'unavailable',
  ])
  const credentials = { email: 'a@b.cd', password: 'a' }
  expect((await site.client().post('/api/v1/users/login', credentials)).status).toBe(503)
  expect((await site.client().get('/healthz')).status).toBe(200)
  await waiting[Symbol.asyncDispose]()
  await vi.waitUntil(async () => (await site.client().get('/api/v1/video/all')).status === 200, 60_000)
})

test.each([
  ['one address gets a quarter of the places', '192.0.2.1', '192.0.2.1', '192.0.2.2'],
  ['an IPv6 host counts as one address', '2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1'],
])('limits one client: %s', async (_, first, second, other) => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '8', TRUST_PROXY: 'true' } })
  onTestFinished(() => site.close())
  await using waiting = await keepWaiting(site, [first, second])
  expect([await ask(site, second), await ask(site, other)]).toEqual([503, 200])
  await waiting[Symbol.asyncDispose]()
  await vi.waitUntil(async () => (await ask(site, second)) === 200, 60_000)
})

test('limits all hosts of an IPv6 /48 to half of the requests', async () => {
  const site = await createTestApp({ settings: { REQUESTS_AT_ONCE: '8', TRUST_PROXY: 'true' } })
  onTestFinished(() => site.close())
  await using _ = await keepWaiting(
    site,
    [1, 2, 3, 4].map((host) => `2001:db8:1:${host}::1`),
  )
  expect([await ask(site, '2001:db8:1:5::1'), await ask(site, '2001:db8:2:1::1')]).toEqual([503, 200])
})

test('does not count open event streams as running requests, and limits them on their own', async () => {
  const site = await createTestApp({
    settings: { REQUESTS_AT_ONCE: '8', TRUST_PROXY: 'true' },
    constants: { eventStreamsPerUser: 100 },
  })
  onTestFinished(() => site.close())
  const { client } = await signUp(site)
  const closed = new AbortController()
  onTestFinished(() => closed.abort())
  const open = async (address: string) =>
    (
      await client.fetch('/api/v1/events', {
        headers: { 'x-forwarded-for': address },
        signal: closed.signal,
      })
    ).status
  const statuses: number[] = []
  for (let stream = 0; stream < 5; stream += 1) statuses.push(await open('192.0.2.1'))
  expect(statuses).toEqual([200, 200, 200, 200, 503])
  for (const address of ['192.0.2.1', '192.0.2.2']) expect(await ask(site, address)).toBe(200)
  // a quarter of all requests
  await using _ = await keepWaiting(site, ['192.0.2.1', '192.0.2.1'])
  expect([await ask(site, '192.0.2.1'), await open('192.0.2.2')]).toEqual([503, 200])
})

const ask = async (site: TestApp, address: string) =>
  (await site.client().fetch('/api/v1/video/all', { headers: { 'x-forwarded-for': address } })).status

/** Keeps a request from each address waiting for the database until disposed. */
async function keepWaiting(site: TestApp, addresses: string[]): Promise<AsyncDisposable> {
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const locking = site.db.transaction().execute(async (transaction) => {
    // only registrations and logins read it
    await sql`lock table rate_limits in access exclusive mode`.execute(transaction)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const requests = addresses.map(async (address, at) => {
    const body = JSON.stringify({ email: `held${at}@example.org`, password: 'a' })
    const headers = { 'x-forwarded-for': address, 'content-type': 'application/json' }
    const { status } = await site.client().fetch('/api/v1/users/login', { method: 'POST', headers, body })
    expect(status).toBe(401)
  })
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
      site.db,
    )
    expect(rows).toHaveLength(addresses.length)
  }, 60_000)
  return {
    [Symbol.asyncDispose]: async () => {
      release.resolve()
      await locking
      await Promise.all(requests)
    },
  }
}

test('returns 503 when no database connection becomes free', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { user } = await signUp(site)
  await sql`
    create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(site.db)
  await sql`create trigger full_disk before insert on sessions for each row execute function refuse()`.execute(
    site.db,
  )
  const response = await site
    .client()
    .post('/api/v1/users/login', { email: user.email, password: testPassword })
  expect([response.status, response.body.code]).toEqual([503, 'unavailable'])
})
