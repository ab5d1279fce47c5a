import fastCheck from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { registrationForm, signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { RateLimit } from './rate-limit.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    settings: { REQUESTS_PER_MINUTE: '20', REGISTRATIONS_PER_HOUR: '3', TRUST_PROXY: 'true' },
  })
})
afterAll(() => site.close())

const from = (address: string, path: string, init: RequestInit = {}) =>
  site.client().fetch(path, { ...init, headers: { 'x-forwarded-for': address } })

test('limits the calls of one client and sends Retry-After', async () => {
  site.clock.set(new Date('2026-05-01T10:20:15Z'))
  for (let call = 0; call < 20; call += 1) {
    expect((await from('192.0.2.1', '/api/v1/users/currentuser')).status).toBe(401)
  }
  const refused = await from('192.0.2.1', '/api/v1/users/currentuser')
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 45])
  expect(await refused.json()).toMatchObject({ success: false, code: 'too_many_requests', data: null })

  expect((await from('192.0.2.2', '/api/v1/users/currentuser')).status).toBe(401)
  expect((await from('192.0.2.1', '/healthz')).status).toBe(200)
  site.clock.advance(45_000)
  expect((await from('192.0.2.1', '/api/v1/users/currentuser')).status).toBe(401)
})

test.each(['/%61pi/v1/users/currentuser', '/api/v1/users/%63urrentuser'])(
  'counts a call for every spelling of its URL: %s',
  async (path) => {
    const address = `192.0.2.${100 + path.indexOf('%')}`
    for (let call = 0; call < 20; call += 1) expect((await from(address, path)).status).toBe(401)
    expect((await from(address, path)).status).toBe(429)
  },
)

test('uses the address that the trusted proxy added, not one that the client sent', async () => {
  const lying = (at: number) => from(`203.0.113.${at}, 192.0.2.77`, '/api/v1/users/currentuser')
  for (let call = 0; call < 20; call += 1) expect((await lying(call)).status).toBe(401)
  expect((await lying(20)).status).toBe(429)
})

test.each([
  ['pages', '/', 40],
  ['media', '/media/videos/none/master.m3u8', 200],
  ['files of the pages', '/assets/none.js', 200],
])('limits %s of one client separately', async (_, path, limit) => {
  const address = `192.0.2.${150 + path.length}`
  const statuses = new Set<number>()
  for (let request = 0; request < limit; request += 1) statuses.add((await from(address, path)).status)
  expect(statuses).not.toContain(429)
  const refused = await from(address, path)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await from(address, '/healthz')).status).toBe(200)
  expect((await from(address, '/api/v1/users/currentuser')).status).toBe(401)
  expect((await from('192.0.2.149', path)).status).not.toBe(429)
})

test('does not count cached responses', async () => {
  for (let call = 0; call < 60; call += 1) {
    expect((await from('192.0.2.3', '/api/v1/video/all')).status).toBe(200)
  }
})

test('limits the registrations of one client', async () => {
  const register = async (address: string) =>
    (await from(address, '/api/v1/users/register', { method: 'POST', body: await registrationForm() })).status
  expect(await register('192.0.2.9')).toBe(201)
  expect(await register('192.0.2.9')).toBe(201)
  expect(await register('192.0.2.9')).toBe(201)
  expect(await register('192.0.2.9')).toBe(429)
  expect(await register('192.0.2.8')).toBe(201)
})

test('never exceeds the limit of a window', () => {
  fastCheck.assert(
    fastCheck.property(
      fastCheck.integer({ min: 1, max: 20 }),
      fastCheck.array(fastCheck.integer({ min: 0, max: 30_000 }), { maxLength: 200 }),
      (limit, steps) => {
        let now = 0
        const limiter = new RateLimit('any', limit, 60, { now: () => new Date(now) })
        const passed: number[] = []
        const waits: number[] = []
        for (const step of steps) {
          now += step
          const wait = limiter.take('key')
          if (wait === 0) passed.push(now)
          waits.push(wait)
        }
        expect(Math.max(0, ...waits)).toBeLessThanOrEqual(60)
        // any period of one window's length overlaps at most two windows
        for (const start of passed) {
          const within = passed.filter((at) => at >= start && at < start + 60_000)
          expect(within.length).toBeLessThanOrEqual(2 * limit)
        }
      },
    ),
  )
})

describe('several processes', () => {
  let now = 0
  const count = (limit = 3000) => new RateLimit('any', limit, 60, { now: () => new Date(now) })
  const takeAll = (limit: RateLimit, key: string, times: number) =>
    Array.from({ length: times }, () => limit.take(key)).filter((wait) => wait === 0).length
  /** Each process publishes its counts to all others. */
  async function gossip(processes: readonly RateLimit[]): Promise<string[]> {
    const sent: string[] = []
    for (const publisher of processes) {
      for (let before = -1; before < sent.length;) {
        before = sent.length
        await publisher.publish(async (news) => {
          sent.push(news)
          for (const other of processes) if (other !== publisher) other.apply(news)
        })
      }
    }
    return sent
  }

  test('allow together at most the limit plus their unpublished counts', async () => {
    const processes = Array.from({ length: 20 }, () => count())
    let passed = 0
    for (let second = 0; second < 59; second += 1) {
      now = 60_000_000 + second * 1000
      for (const one of processes) passed += takeAll(one, '192.0.2.1', 13)
      await gossip(processes)
    }
    // counts below a hundredth of the limit are not published
    expect(passed).toBeGreaterThanOrEqual(3000)
    expect(passed).toBeLessThanOrEqual(3000 + 20 * 29 + 260)
    now = 60_060_000
    expect(processes.map((one) => one.take('192.0.2.1'))).toEqual(processes.map(() => 0))
  })

  test('publish no small counts, and many counts in several messages', async () => {
    const [here, there] = [count(), count()]
    for (let visitor = 0; visitor < 1000; visitor += 1) takeAll(here, `little-${visitor}`, 29)
    expect(await gossip([here, there])).toEqual([])
    for (let visitor = 0; visitor < 1000; visitor += 1) takeAll(here, `ffff:ffff:ffff:${visitor}`, 300)
    const sent = await gossip([here, there])
    expect(sent).toHaveLength(5)
    // the message must fit into the 8000 bytes of a NOTIFY payload, including two levels of JSON escapes
    expect(Math.max(...sent.map((news) => news.length))).toBeLessThan(7500)
    expect(takeAll(there, 'ffff:ffff:ffff:999', 3000)).toBe(2700)
  })

  test('publish again after a failure, but not the counts of an ended window', async () => {
    const [here, there] = [count(10), count(10)]
    takeAll(here, 'key', 4)
    const lost = new Error('no database')
    await expect(here.publish(() => Promise.reject(lost))).rejects.toThrow(lost)
    expect(takeAll(here, 'key', 3)).toBe(3)
    const [news = ''] = await gossip([here, there])
    expect(takeAll(there, 'key', 10)).toBe(3)
    now += 60_000
    there.apply(news)
    expect(takeAll(there, 'key', 11)).toBe(10)
    takeAll(here, 'key', 5)
    now += 60_000
    expect(await gossip([here, there])).toEqual([])
  })

  test('count calls and views together on one database', async () => {
    const limit = 400
    const settings = {
      REQUESTS_PER_MINUTE: String(limit),
      VIEWS_PER_MINUTE: String(limit),
      TRUST_PROXY: 'true',
    }
    const one = await createTestApp({ settings })
    onTestFinished(() => one.close())
    const other = await createTestApp({ settings, databaseUrl: one.databaseUrl })
    onTestFinished(() => other.close())
    other.clock.set(one.clock.now())
    const { user } = await signUp(one)
    const id = await addVideo(one, user._id)
    const ask = async (app: TestApp, address: string, path: string, method = 'GET') => {
      const response = await app.client().fetch(path, { method, headers: { 'x-forwarded-for': address } })
      await response.arrayBuffer()
      return response.status
    }
    const asked = '/api/v1/users/currentuser'
    const viewed = `/api/v1/video/${id}`
    const views = async () => {
      const rows = await one.db.selectFrom('pendingViews').select('views').execute()
      return rows.reduce((total, row) => total + row.views, 0)
    }
    for (let call = 0; call < limit; call += 1) {
      expect(await ask(one, '192.0.2.1', asked)).toBe(401)
      expect(await ask(one, '192.0.2.1', viewed, 'PATCH')).toBe(200)
    }
    // each process alone stays below the limit
    const seldom = { interval: 100 }
    await expect.poll(() => ask(other, '192.0.2.1', asked), seldom).toBe(429)
    expect(await ask(other, '192.0.2.2', asked)).toBe(401)
    const counted = async () => {
      const before = await views()
      expect(await ask(other, '192.0.2.1', viewed, 'PATCH')).toBe(200)
      return (await views()) - before
    }
    await expect.poll(counted, seldom).toBe(0)
    expect(await views()).toBeGreaterThanOrEqual(limit)
  })
})
