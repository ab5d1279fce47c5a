import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { constants } from '../../../context/constants.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { cpuOfFailedLogins } from '../../../testing/fixtures/failed-logins.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { untilWaitingForLock } from '../../../testing/waiting-for-lock.ts'
import { startSession } from './actions.ts'

const users = '/api/v1/users'
let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { TRUST_PROXY: 'true' } })
})
afterAll(() => site.close())

const signIn = (body: object, headers: Record<string, string> = {}) =>
  site.client().fetch(`${users}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('logs in by email or username, in either field, in any case and encoding', async () => {
  const { user } = await signUp(site, { username: 'Grace', email: 'Grace@Example.org' })
  const ways: Record<string, string>[] = [
    { email: 'Grace@Example.org' },
    { email: 'grace@example.ORG' },
    { email: 'gRACE' },
    { username: 'GRACE' },
    { username: 'grace@example.org' },
    { email: '', username: ' grace ' },
  ]
  for (const way of ways) {
    for (const encode of [
      (fields: object) => fields,
      (fields: object) => new URLSearchParams({ ...fields }),
    ]) {
      const client = site.client()
      const { status, body } = await client.post(`${users}/login`, encode({ ...way, password: testPassword }))
      expect([status, body.data]).toEqual([200, { user }])
      expect((await client.get(`${users}/currentuser`)).body.data).toEqual(user)
    }
  }
})

test('does not reveal whether the account or the password is wrong', async () => {
  const { user } = await signUp(site)
  const responses = await Promise.all(
    [
      { email: user.email, password: 'wrong password' },
      { email: 'nobody@example.org', password: 'wrong password' },
      { username: 'nobody', password: testPassword },
      { username: "' or 1=1 --", password: testPassword },
    ].map((body) => site.client().post(`${users}/login`, body)),
  )
  const [first] = responses
  expect(first).toMatchObject({ status: 401, body: { message: 'Wrong email or password' } })
  for (const { status, body, headers } of responses) {
    expect({ ...body, requestId: '', status }).toEqual({ ...first?.body, requestId: '', status: 401 })
    expect(headers.getSetCookie()).toEqual([])
  }
})

test('hashes the password for unknown names too', async () => {
  const { passwordHashing } = constants
  const costly = await createTestApp({ constants: { passwordHashing } })
  onTestFinished(() => costly.close())
  const { user } = await signUp(costly)
  await cpuOfFailedLogins(costly, 'warm up')
  const known = await cpuOfFailedLogins(costly, user.email)
  const unknown = await cpuOfFailedLogins(costly, 'nobody@example.org')
  // without the hash it would be a tenth
  expect(unknown).toBeGreaterThan(known / 3)
})

test.each([
  [{}, 'Email is required'],
  [{ email: '', password: '' }, 'Email is required'],
  [{ password: 'x' }, 'Email is required'],
  [{ email: '', username: '', password: 'x' }, 'Email is required'],
  [{ email: 'a@b' }, 'Password is required'],
  [{ email: 'a@b', password: '' }, 'Password is required'],
  [{ email: 'a@b', password: ['x'] }, 'Password must be text'],
])('rejects %j', async (body, message) => {
  const response = await site.client().post(`${users}/login`, body)
  expect([response.status, response.body.message]).toEqual([400, message])
})

test('sets a cookie that scripts and other sites cannot read', async () => {
  const { user } = await signUp(site)
  const body = { email: user.email, password: testPassword }
  const [cookie = ''] = (await signIn(body)).headers.getSetCookie()
  expect(cookie).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const [secure = ''] = (await signIn(body, { 'x-forwarded-proto': 'https' })).headers.getSetCookie()
  expect(secure).toContain('; Secure')
})

test('stores only a hash of the token', async () => {
  const { client, user } = await signUp(site)
  const token = client.cookies.get('session') ?? ''
  const [row] = await site.db.selectFrom('sessions').selectAll().where('userId', '=', user._id).execute()
  expect(row?.tokenHash).toHaveLength(32)
  expect(row?.tokenHash.toString('base64url')).not.toBe(token)
  expect(JSON.stringify(row)).not.toContain(token)
})

test('logging out ends the session on the server', async () => {
  const { client } = await signUp(site)
  const old = new Map(client.cookies)
  const out = await client.post(`${users}/logout`)
  expect([out.status, client.cookies.size]).toEqual([200, 0])
  const thief = site.client()
  for (const [name, value] of old) thief.cookies.set(name, value)
  expect((await thief.get(`${users}/currentuser`)).status).toBe(401)
  expect((await thief.post(`${users}/logout`)).status).toBe(200)
  expect((await site.client().post(`${users}/logout`)).status).toBe(200)
})

test('logging in again ends only the previous session of the browser', async () => {
  const { client, user } = await signUp(site)
  const elsewhere = site.client()
  const credentials = { email: user.email, password: testPassword }
  await elsewhere.post(`${users}/login`, credentials)
  const thief = client.at(site.origin)
  expect((await client.post(`${users}/login`, { ...credentials, password: 'not the one' })).status).toBe(401)
  expect((await thief.get(`${users}/currentuser`)).status).toBe(200)
  expect((await client.post(`${users}/login`, credentials)).status).toBe(200)
  const statuses = [thief, client, elsewhere].map(
    async (visitor) => (await visitor.get(`${users}/currentuser`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([401, 200, 200])
})

test.each(['', 'x', 'a'.repeat(43), '%00', 'a'.repeat(4000), '"', '../'])(
  'treats the cookie "%s" as signed out',
  async (value) => {
    const client = site.client()
    client.cookies.set('session', value)
    const { status, body } = await client.get(`${users}/currentuser`)
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
  },
)

test('extends a session in use at most once a day', async () => {
  const { client } = await signUp(site)
  const renewed = async () => (await client.get(`${users}/currentuser`)).headers.getSetCookie().length > 0
  expect(await renewed()).toBe(false)
  site.clock.advance(23 * 60 * 60 * 1000)
  expect(await renewed()).toBe(false)
  site.clock.advance(2 * 60 * 60 * 1000)
  expect(await renewed()).toBe(true)
  expect(await renewed()).toBe(false)
  for (let week = 0; week < 6; week += 1) {
    site.clock.advance(7 * dayMs)
    expect((await client.get(`${users}/currentuser`)).status).toBe(200)
  }
  site.clock.advance(30 * dayMs + 1)
  expect((await client.get(`${users}/currentuser`)).status).toBe(401)
})

test('ends a session after SESSION_MAX_DAYS, however much it is used', async () => {
  const strict = await createTestApp({ settings: { SESSION_MAX_DAYS: '40' } })
  onTestFinished(() => strict.close())
  const { client } = await signUp(strict)
  const visit = () => client.get(`${users}/currentuser`)
  for (const days of [20, 19]) {
    strict.clock.advance(days * dayMs)
    expect((await visit()).status).toBe(200)
  }
  // the end cannot move any more, so nothing is renewed
  expect((await visit()).headers.getSetCookie()).toEqual([])
  strict.clock.advance(dayMs)
  expect((await visit()).status).toBe(401)
})

test('starts no session while the password is being changed', async () => {
  const { user } = await signUp(site)
  const { passwordHash } = await site.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', user._id)
    .executeTakeFirstOrThrow()
  const start = () => startSession(site.context, { id: user._id, passwordHash })
  expect(await start()).toMatch(/^[\w-]{43}$/)
  let started: ReturnType<typeof start> | undefined
  await site.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('users').set({ passwordHash: 'new' }).where('id', '=', user._id).execute()
    started = start()
    await untilWaitingForLock(site, 'into sessions')
  })
  expect(await started).toBeUndefined()
})

test('limits failed logins by account and address', async () => {
  const limited = await createTestApp({
    settings: { TRUST_PROXY: 'true' },
    constants: { loginsPerMinute: 10 },
  })
  try {
    const { user } = await signUp(limited)
    const guess = async (email: string, password: string, address = '192.0.2.1') => {
      const { status, headers } = await limited.client().fetch(`${users}/login`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: new URLSearchParams({ email, password }),
      })
      return { status, retryAfter: Number(headers.get('retry-after')) }
    }
    for (let round = 0; round < 30; round += 1) {
      expect((await guess(user.email, testPassword)).status).toBe(200)
    }
    for (let round = 0; round < 10; round += 1) {
      expect((await guess(user.email, 'wrong password')).status).toBe(401)
    }
    const refused = await guess(user.email.toUpperCase(), 'wrong password')
    expect(refused.status).toBe(429)
    expect(refused.retryAfter).toBeGreaterThan(50)
    expect((await guess(user.email, testPassword, '192.0.2.2')).status).toBe(200)
    expect((await guess(user.email, testPassword)).status).toBe(200)
    expect((await guess('somebody@else', 'wrong password')).status).toBe(401)
    limited.clock.advance(60_000)
    expect((await guess(user.email, testPassword)).status).toBe(200)
  } finally {
    await limited.close()
  }
})

test('limits one password tried on many accounts, per address', async () => {
  const limited = await createTestApp({
    settings: { TRUST_PROXY: 'true' },
    constants: { loginsPerAddressPerMinute: 5 },
  })
  try {
    const { user } = await signUp(limited)
    const guess = async (email: string, password: string, address = '192.0.2.1') =>
      (
        await limited.client().fetch(`${users}/login`, {
          method: 'POST',
          headers: { 'x-forwarded-for': address },
          body: new URLSearchParams({ email, password }),
        })
      ).status
    for (let round = 0; round < 8; round += 1) expect(await guess(user.email, testPassword)).toBe(200)
    for (let round = 0; round < 5; round += 1) {
      expect(await guess(`somebody${round}@else`, testPassword)).toBe(401)
    }
    expect(await guess('another@else', testPassword)).toBe(429)
    expect(await guess(user.email, testPassword)).toBe(200)
    expect(await guess(user.email, testPassword, '192.0.2.2')).toBe(200)
    limited.clock.advance(60_000)
    expect(await guess('another@else', testPassword)).toBe(401)
  } finally {
    await limited.close()
  }
})

test('counts both names of an account together, and unknown names separately', async () => {
  const limited = await createTestApp({
    settings: { TRUST_PROXY: 'true' },
    constants: { loginsPerMinute: 4 },
  })
  try {
    const { user } = await signUp(limited)
    const guess = async (name: string) =>
      (await limited.client().post(`${users}/login`, nameAnd(name))).status
    const nameAnd = (email: string) => ({ email, password: 'wrong password' })
    const names = [user.email, user.username, user.email.toUpperCase(), user.username.toUpperCase()]
    for (const name of names) expect(await guess(name)).toBe(401)
    for (const name of names) expect(await guess(name)).toBe(429)
    // an id is no login name
    for (const name of ['nobody', 'nobody@example.org', user._id]) expect(await guess(name)).toBe(401)
    for (let round = 0; round < 3; round += 1) expect(await guess('NOBODY')).toBe(401)
    expect(await guess('nobody')).toBe(429)
  } finally {
    await limited.close()
  }
})

test('a distributed attack does not lock its victim out', async () => {
  const limited = await createTestApp({
    settings: { TRUST_PROXY: 'true' },
    constants: { loginsPerMinute: 2, loginsPerAddressPerMinute: 4 },
  })
  try {
    const { user, client: signedIn } = await signUp(limited)
    const from = (address: string, email: string, password: string) =>
      limited.client().fetch(`${users}/login`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: new URLSearchParams({ email, password }),
      })
    for (let attacker = 1; attacker <= 8; attacker += 1) {
      const names = [user.email, user.username, user.email, 'nobody', 'nobody else']
      const responses = await Promise.all(
        names.map((name) => from(`192.0.2.${attacker}`, name, 'wrong password')),
      )
      expect(responses.map(({ status }) => status)).toContain(429)
    }
    for (let round = 0; round < 5; round += 1) {
      expect((await from('198.51.100.1', user.email, testPassword)).status).toBe(200)
    }
    expect((await signedIn.get(`${users}/currentuser`)).status).toBe(200)
    const passwords = { oldPassword: testPassword, newPassword: 'another good password' }
    expect((await signedIn.post(`${users}/changepass`, passwords)).status).toBe(200)
  } finally {
    await limited.close()
  }
})
