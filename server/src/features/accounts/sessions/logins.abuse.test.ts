import { afterAll, beforeAll, expect, test } from 'vitest'
import { resetPassword } from '../users/actions/change-password.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { deleteForgottenAddresses } from './queries.ts'
import { knownSince } from './rules.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    settings: { TRUST_PROXY: 'true' },
    constants: { loginsPerMinute: 5, loginsPerAddressPerMinute: 30, loginsPerAccountPerHour: 20 },
  })
})
afterAll(() => site.close())

async function login(address: string, email: string, password: string) {
  const response = await site.client().fetch('/api/v1/users/login', {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: new URLSearchParams({ email, password }),
  })
  return response.status
}

const wrong = 'not the password'
const guesses = (count: number, guess: (at: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, at) => guess(at)))
const countOf = (statuses: number[], status: number) => statuses.filter((each) => each === status).length

test('failed logins never block the right password from a known address', async () => {
  const { user } = await signUp(site)
  const home = '192.0.2.1'
  expect(await login(home, user.email, testPassword)).toBe(200)
  const statuses = await guesses(12, () => login(home, user.email, wrong))
  expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([5, 7])
  expect(await login(home, user.email, testPassword)).toBe(200)
  // other accounts exhaust the limit of the address
  await guesses(35, (at) => login(home, `nobody${at}@example.org`, wrong))
  expect(await login(home, 'nobody99@example.org', wrong)).toBe(429)
  expect(await login(home, user.username, testPassword)).toBe(200)
})

test('an address is forgotten after 30 days, and when an operator sets a new password', async () => {
  const { user } = await signUp(site)
  const home = '192.0.2.2'
  const isRefused = async (password: string) => {
    await guesses(6, () => login(home, user.email, wrong))
    return (await login(home, user.email, password)) === 429
  }
  expect(await login(home, user.email, testPassword)).toBe(200)
  expect(await isRefused(testPassword)).toBe(false)
  site.clock.advance(31 * 24 * 3600 * 1000)
  expect(await isRefused(testPassword)).toBe(true)
  await deleteForgottenAddresses(site.db, knownSince(site.clock.now(), 30))
  const known = site.db.selectFrom('knownAddresses').select('userId').where('userId', '=', user._id)
  expect(await known.execute()).toEqual([])
  site.clock.advance(3600_000)
  expect(await login(home, user.email, testPassword)).toBe(200)
  await resetPassword(site.context, user._id, 'another good password')
  expect(await isRefused('another good password')).toBe(true)
})

test('guesses for one account from many addresses are increasingly delayed, and lock nobody out', async () => {
  const { user } = await signUp(site)
  const home = '198.51.100.1'
  expect(await login(home, user.email, testPassword)).toBe(200)
  const statuses = await guesses(20, (at) => login(`203.0.113.${at}`, user.email, wrong))
  expect(countOf(statuses, 401)).toBe(20)

  const seconds = async (attempt: () => Promise<number>) => {
    const startedAt = performance.now()
    const status = await attempt()
    return { status, elapsed: (performance.now() - startedAt) / 1000 }
  }
  // ten more are delayed by 0.1 s to 1 s
  await guesses(10, (at) => login(`203.0.113.${100 + at}`, user.email, wrong))
  const stranger = await seconds(() => login('203.0.113.200', user.email, testPassword))
  expect(stranger.status).toBe(200)
  expect(stranger.elapsed).toBeGreaterThan(1)
  expect(await login(home, user.email, testPassword)).toBe(200)
  // one network has one delayed request at a time
  const parallel = await guesses(5, () => login('203.0.113.201', user.email, wrong))
  expect(countOf(parallel, 401)).toBeGreaterThan(0)
  expect(countOf(parallel, 429)).toBeGreaterThan(0)
  site.clock.advance(3600_000)
  const later = await guesses(2, (at) => login(`203.0.113.${210 + at}`, user.email, wrong))
  expect(later).toEqual([401, 401])
})

test('counts the /64s of one IPv6 network together', async () => {
  const { user } = await signUp(site)
  const oneAccount = await guesses(12, (at) => login(`2001:db8:1:${at}::1`, user.email, wrong))
  expect([countOf(oneAccount, 401), countOf(oneAccount, 429)]).toEqual([5, 7])
  expect(await login('2001:db8:2::1', user.email, wrong)).toBe(401)
  const manyNames = await guesses(130, (at) => login(`2001:db8:3:${at}::1`, `someone${at}`, wrong))
  expect([countOf(manyNames, 401), countOf(manyNames, 429)]).toEqual([120, 10])
})

test('does not store the login name in clear text', async () => {
  const typed = 'MyPasswordInTheWrongField'
  await login('192.0.2.50', typed, wrong)
  const rows = await site.db.selectFrom('rateLimits').select('key').execute()
  const keys = rows.map(({ key }) => key)
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.filter((key) => !/^[a-z_]+ [\w-]{43}$/.test(key))).toEqual([])
})
