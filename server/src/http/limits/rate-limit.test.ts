import fastCheck from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { registrationForm } from '../../testing/fixtures/test-users.ts'
import { RateLimit } from '@kinora/platform/http/limits/rate-limit.ts'

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
        const limiter = new RateLimit(limit, 60, { now: () => new Date(now) })
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

test('keeps the counts of the keys used last when there are too many', () => {
  const limiter = new RateLimit(1, 60, { now: () => new Date(0) })
  expect(limiter.take('first')).toBe(0)
  for (let key = 0; key < 99_999; key += 1) limiter.take(`key ${key}`)
  expect(limiter.take('first')).toBeGreaterThan(0)
  for (let key = 0; key < 100_000; key += 1) limiter.take(`other ${key}`)
  expect(limiter.take('first')).toBe(0)
})
