import fastCheck from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { registrationForm } from '../../testing/test-users.ts'
import { addressKey, RateLimit } from './rate-limit.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    settings: { REQUESTS_PER_MINUTE: '20', REGISTRATIONS_PER_HOUR: '3', TRUST_PROXY: 'true' },
  })
})
afterAll(() => site.close())

const from = (address: string, path: string, init: RequestInit = {}) =>
  site.client().fetch(path, { ...init, headers: { 'x-forwarded-for': address } })

test('limits the calls of one address, and says when to try again', async () => {
  for (let call = 0; call < 20; call += 1) {
    expect((await from('192.0.2.1', '/api/v1/users/currentuser')).status).toBe(401)
  }
  const refused = await from('192.0.2.1', '/api/v1/users/currentuser')
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 60])
  expect(await refused.json()).toMatchObject({ success: false, code: 'too_many_requests', data: null })

  expect((await from('192.0.2.2', '/api/v1/users/currentuser')).status).toBe(401)
  expect((await from('192.0.2.1', '/healthz')).status).toBe(200)
  site.clock.advance(60_000)
  expect((await from('192.0.2.1', '/api/v1/users/currentuser')).status).toBe(401)
})

test('takes nothing for an answer that is kept ready', async () => {
  for (let call = 0; call < 60; call += 1) {
    expect((await from('192.0.2.3', '/api/v1/video/all')).status).toBe(200)
  }
})

test('limits the registrations of one address', async () => {
  const register = async (address: string) =>
    (await from(address, '/api/v1/users/register', { method: 'POST', body: await registrationForm() })).status
  expect(await register('192.0.2.9')).toBe(201)
  expect(await register('192.0.2.9')).toBe(201)
  expect(await register('192.0.2.9')).toBe(201)
  expect(await register('192.0.2.9')).toBe(429)
  expect(await register('192.0.2.8')).toBe(201)
})

test('never lets more through in a window than its limit', () => {
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
        // windows follow each other, so that any stretch of one window's length touches at most two
        for (const start of passed) {
          const within = passed.filter((at) => at >= start && at < start + 60_000)
          expect(within.length).toBeLessThanOrEqual(2 * limit)
        }
      },
    ),
  )
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts %s as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})
