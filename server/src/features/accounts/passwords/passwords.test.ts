import { requestPasswordReset, resetPassword } from '@kinora/contract/accounts/passwords.ts'
import { createWebhook, listWebhooks, resumeWebhook } from '@kinora/contract/messages/webhooks.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createMailbox, type TestMailbox } from '../../../testing/fixtures/test-mailbox.ts'
import { registrationForm, signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { deleteExpiredCodes } from '../../messages/mail/queries.ts'
import { changeSettings } from '../../operations/site/actions.ts'

const users = '/api/v1/users'
let mailbox: TestMailbox
let site: TestApp

beforeAll(async () => {
  mailbox = await createMailbox()
  site = await createTestApp({
    worker: true,
    settings: { ...mailbox.settings, TRUST_PROXY: 'true' },
    constants: { passwordResetsPerHour: 2 },
  })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

let lastAddress = 0

/** Asks for a link from an address of its own. */
async function ask(email: string, address = `192.0.2.${(lastAddress += 1)}`) {
  const response = await site.client().fetch(`${users}/forgotpassword`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  return { status: response.status, text: await response.text() }
}

/** The codes in the mails to an address, once there are `count`. */
async function codesFor(email: string, count: number): Promise<string[]> {
  const codes = () =>
    mailbox.mails
      .filter(({ recipients }) => recipients.includes(email))
      .map(({ text = '' }) => /#([\w-]+)/.exec(text)?.[1] ?? '')
  await expect.poll(codes, { timeout: 30_000 }).toHaveLength(count)
  return codes()
}

const login = (username: string, password: string) =>
  site.client().post(`${users}/login`, { username, password })

test('sets a new password by mail, once, and ends every session', async () => {
  const { user, client } = await signUp(site)
  expect((await ask(user.email.toUpperCase())).status).toBe(200)
  const [code = ''] = await codesFor(user.email, 1)
  const body = { code, newPassword: 'a new good password' }
  expect(await site.client().call(resetPassword, { body })).toBe(null)
  expect((await client.get(`${users}/currentuser`)).status).toBe(401)
  expect((await login(user.username, testPassword)).status).toBe(401)
  expect((await login(user.username, body.newPassword)).status).toBe(200)
  const again = await site.client().post(`${users}/resetpassword`, { ...body, newPassword: 'another one' })
  expect(again).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
})

test('pauses the webhooks of the account, whose holder resumes them', async () => {
  const { user, client } = await signUp(site)
  const webhook = { url: 'https://hooks.example/kinora', events: ['video.published' as const], isSite: false }
  const { _id: webhookId } = await client.call(createWebhook, { body: webhook })
  await ask(user.email)
  const [code = ''] = await codesFor(user.email, 1)
  const newPassword = 'a new good password'
  await site.client().call(resetPassword, { body: { code, newPassword } })
  await client.post(`${users}/login`, { username: user.username, password: newPassword })
  expect(await client.call(listWebhooks, {})).toMatchObject([{ pausedAt: expect.any(String) }])
  await client.call(resumeWebhook, { params: { webhookId } })
  expect(await client.call(listWebhooks, {})).toMatchObject([{ pausedAt: null }])
})

test('a new password makes earlier links useless, and a short one leaves the link usable', async () => {
  const { user } = await signUp(site)
  await ask(user.email)
  await ask(user.email)
  const [first = '', second = ''] = await codesFor(user.email, 2)
  const reset = (code: string, newPassword: string) =>
    site.client().post(`${users}/resetpassword`, { code, newPassword })
  expect(await reset(second, 'short')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'newPassword' }] },
  })
  const statuses = await Promise.all([1, 2, 3].map(async () => (await reset(second, 'long enough')).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  expect((await reset(first, 'long enough')).status).toBe(400)
})

test('a changed password makes earlier links useless', async () => {
  const { user, client } = await signUp(site)
  await ask(user.email)
  const [code = ''] = await codesFor(user.email, 1)
  const body = { oldPassword: testPassword, newPassword: 'a new good password' }
  expect((await client.post(`${users}/changepass`, body)).status).toBe(200)
  const reset = await site.client().post(`${users}/resetpassword`, { code, newPassword: 'of a stranger' })
  expect(reset).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
})

test('a link expires after 30 minutes', async () => {
  const { user } = await signUp(site)
  await ask(user.email)
  const [code = ''] = await codesFor(user.email, 1)
  site.clock.advance(30 * 60_000)
  const { status } = await site.client().post(`${users}/resetpassword`, { code, newPassword: 'long enough' })
  expect(status).toBe(400)
  await deleteExpiredCodes(site.db, site.clock.now())
  expect(
    await site.db.selectFrom('mailCodes').select('userId').where('userId', '=', user._id).execute(),
  ).toEqual([])
})

test('answers the same for unknown addresses, and mails an account only so often', async () => {
  const { user } = await signUp(site)
  const answers = [await ask(user.email), await ask('nobody@example.org')]
  for (let count = 0; count < 3; count += 1) answers.push(await ask(user.email))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  // a mail to somebody else, which is sent after all of these
  const later = await signUp(site)
  await ask(later.user.email)
  await codesFor(later.user.email, 1)
  await codesFor(user.email, 2)
  expect(mailbox.mails.flatMap(({ recipients }) => recipients)).not.toContain('nobody@example.org')
})

test('limits requests of one address', async () => {
  const address = '198.51.100.7'
  const statuses: number[] = []
  for (let count = 0; count < 21; count += 1)
    statuses.push((await ask(`nobody${count}@example.org`, address)).status)
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200))
  expect(statuses[20]).toBe(429)
})

test('does not change the password of the shared account', async () => {
  const { user } = await signUp(site, { username: 'test' })
  await site.client().call(requestPasswordReset, { body: { email: user.email } })
  const later = await signUp(site)
  await ask(later.user.email)
  await codesFor(later.user.email, 1)
  expect(await codesFor(user.email, 0)).toEqual([])
})

test('the database keeps only the hash of a code', async () => {
  const { user } = await signUp(site)
  await ask(user.email)
  const [code = ''] = await codesFor(user.email, 1)
  const stored = await site.db.selectFrom('mailCodes').selectAll().where('userId', '=', user._id).execute()
  expect(stored).toHaveLength(1)
  expect(stored.map(({ codeHash }) => codeHash.toString('base64url'))).not.toContain(code)
})

test('refuses passwords that are easy to guess, where the site says so', async () => {
  const { user, client } = await signUp(site)
  const own = `${user.username}1`
  const register = async (username: string, password: string) =>
    site.client().post(`${users}/register`, await registrationForm({ username, password }))
  const change = (newPassword: string, oldPassword = testPassword) =>
    client.post(`${users}/changepass`, { oldPassword, newPassword })
  expect((await register('weak1', 'Password1!')).status).toBe(201)

  await changeSettings(site.context, null, { refuseWeakPasswords: true })
  onTestFinished(() => changeSettings(site.context, null, { refuseWeakPasswords: false }))
  expect(await register('weak2', 'Password1!')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'password', message: expect.stringContaining('most common') }] },
  })
  for (const weak of ['Password1!', own, 'abcabcabc', 'Kinora2026'])
    expect(await change(weak)).toMatchObject({ status: 400, body: { errors: [{ path: 'newPassword' }] } })
  await ask(user.email)
  const [code = ''] = await codesFor(user.email, 1)
  const reset = (newPassword: string) => site.client().post(`${users}/resetpassword`, { code, newPassword })
  expect(await reset(own)).toMatchObject({ status: 400, body: { errors: [{ path: 'newPassword' }] } })
  expect((await change('a new good password')).status).toBe(200)
  // accounts with a weak one keep it
  expect((await login('weak1', 'Password1!')).status).toBe(200)
})
