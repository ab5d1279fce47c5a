import { endOtherSessions, endSession, listSessions } from '@kinora/contract/accounts/sessions.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createMailbox, type TestMailbox } from '../../../testing/fixtures/test-mailbox.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { deleteForgottenDevices } from './queries.ts'
import { deviceOf, knownSince } from './rules.ts'

const users = '/api/v1/users'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

let mailbox: TestMailbox
let site: TestApp

beforeAll(async () => {
  mailbox = await createMailbox()
  site = await createTestApp({ worker: true, settings: mailbox.settings })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

async function login(username: string, userAgent: string) {
  const client = site.client()
  const { status } = await client.fetch(`${users}/login`, {
    method: 'POST',
    headers: { 'user-agent': userAgent },
    body: new URLSearchParams({ username, password: testPassword }),
  })
  expect(status).toBe(200)
  return client
}

const statusOf = async (client: Awaited<ReturnType<typeof login>>) =>
  (await client.get(`${users}/currentuser`)).status

test('describes a device without its versions', () => {
  expect(deviceOf(firefox)).toBe('Firefox on Linux')
  expect(deviceOf(safari)).toBe('Safari on iOS')
  expect(deviceOf(undefined)).toBe('Unknown device')
  expect(deviceOf('%'.repeat(10_000))).toBe('Unknown device')
  expect(deviceOf('https://evil.example.org/prize/1 (X11; Linux x86_64)')).toBe('Linux')
})

test('lists the sessions of an account, and ends one or all others', async () => {
  const { user, client } = await signUp(site)
  const phone = await login(user.username, safari)
  const laptop = await login(user.username, firefox)
  const listed = await phone.call(listSessions, {})
  const isCurrent = Object.fromEntries(listed.map((session) => [session.device, session.isCurrent]))
  expect(isCurrent).toEqual({ 'Firefox on Linux': false, 'Safari on iOS': true, 'Unknown device': false })
  const { _id: sessionId = '' } = listed.find(({ device }) => device === 'Firefox on Linux') ?? {}
  const stranger = await signUp(site)
  const params = { params: { sessionId } }
  await expect(stranger.client.call(endSession, params)).rejects.toMatchObject({ status: 404 })
  expect(await statusOf(laptop)).toBe(200)
  await phone.call(endSession, params)
  expect([await statusOf(laptop), await statusOf(client), await statusOf(phone)]).toEqual([401, 200, 200])
  await phone.call(endOtherSessions, {})
  expect([await statusOf(client), await statusOf(phone)]).toEqual([401, 200])
  expect(await stranger.client.call(listSessions, {})).toHaveLength(1)
})

test('no response contains a token or its stored hash', async () => {
  const { client } = await signUp(site)
  const { text } = await client.get(`${users}/sessions`)
  const hashes = await site.db.selectFrom('sessions').select('tokenHash').execute()
  expect(text).not.toContain(client.cookies.get('session'))
  for (const { tokenHash } of hashes) expect(text).not.toContain(tokenHash.toString('hex'))
})

test('notifies of a sign-in with a new device, in the site and by mail', async () => {
  const { user, client } = await signUp(site)
  await login(user.username, safari)
  await login(user.username, safari)
  const { items } = await client.call(listNotifications, { query: {} })
  expect(items).toMatchObject([{ kind: 'sign_in', device: 'Safari on iOS', actor: null, video: null }])
  const mails = () => mailbox.mails.filter(({ recipients }) => recipients.includes(user.email))
  await expect.poll(mails, { timeout: 30_000 }).toHaveLength(1)
  expect(mails()[0]?.text).toContain('Safari on iOS')
  expect(mails()[0]?.text).toContain('https://video.example.org/account/security\n')
})

test('a device is new again after 30 days', async () => {
  const { user, client } = await signUp(site)
  await login(user.username, safari)
  site.clock.advance(31 * 24 * 3600_000)
  await login(user.username, firefox)
  await deleteForgottenDevices(site.db, knownSince(site.clock.now(), 30))
  const again = await login(user.username, safari)
  const { items } = await again.call(listNotifications, { query: {} })
  expect(items.map(({ device }) => device)).toEqual(['Safari on iOS', 'Firefox on Linux', 'Safari on iOS'])
  expect(await statusOf(client)).toBe(401)
})

test('notifies of a new device after 30 days without a sign-in', async () => {
  const { user } = await signUp(site)
  site.clock.advance(31 * 24 * 3600_000)
  await deleteForgottenDevices(site.db, knownSince(site.clock.now(), 30))
  const phone = await login(user.username, safari)
  const { items } = await phone.call(listNotifications, { query: {} })
  expect(items.map(({ device }) => device)).toEqual(['Safari on iOS'])
})

test('notifies an account of ten new devices an hour, and remembers the last hundred', async () => {
  const { user, client } = await signUp(site)
  for (let count = 0; count < 12; count += 1) await login(user.username, `Browser${count}/1 (X11; Linux)`)
  const { items } = await client.call(listNotifications, { query: {} })
  expect(items).toHaveLength(10)
  const seenAt = site.clock.now()
  const rows = Array.from({ length: 100 }, (_, index) => ({
    userId: user._id,
    device: `Old ${index}`,
    seenAt,
  }))
  await site.db.insertInto('knownDevices').values(rows).execute()
  site.clock.advance(1000)
  await login(user.username, safari)
  const known = await site.db
    .selectFrom('knownDevices')
    .select('device')
    .where('userId', '=', user._id)
    .execute()
  expect(known).toHaveLength(100)
  expect(known).toContainEqual({ device: 'Safari on iOS' })
})

test('the shared account neither shows nor ends the sessions of others', async () => {
  const { user, client } = await signUp(site, { username: 'test' })
  const phone = await login(user.username, safari)
  expect(await phone.call(listSessions, {})).toMatchObject([{ device: 'Safari on iOS', isCurrent: true }])
  await expect(phone.call(endOtherSessions, {})).rejects.toMatchObject({ status: 403 })
  const [{ _id: sessionId } = { _id: '' }] = await client.call(listSessions, {})
  await expect(phone.call(endSession, { params: { sessionId } })).rejects.toMatchObject({ status: 403 })
  expect(await statusOf(client)).toBe(200)
})
