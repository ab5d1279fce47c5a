import { confirmRegistration, requestRegistrationMail } from '@kinora/contract/accounts/registrations.ts'
import { createWebhook, listWebhookDeliveries } from '@kinora/contract/messages/webhooks.ts'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { constants } from '../../../context/constants.ts'
import { cpuOfFailedLogins } from '../../../testing/fixtures/failed-logins.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createMailbox, type TestMailbox } from '../../../testing/fixtures/test-mailbox.ts'
import { registrationForm, signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { insertInvitation, listInvitations } from '../invitations/queries.ts'
import { changeSettings } from '../../operations/site/actions.ts'
import { deleteOldUnconfirmed } from './jobs.ts'

const users = '/api/v1/users'
let mailbox: TestMailbox
let site: TestApp

beforeAll(async () => {
  mailbox = await createMailbox()
  site = await createTestApp({
    worker: true,
    settings: { ...mailbox.settings, CONFIRM_EMAILS: 'true' },
    constants: { registrationMailsPerHour: 2 },
  })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
afterEach(() => changeSettings(site.context, null, { registration: 'open' }))

const register = async (
  username: string,
  fields: { email?: string; invitation?: string; password?: string } = {},
) =>
  site
    .client()
    .post(
      `${users}/register`,
      await registrationForm({ username, email: `${username}@example.org`, ...fields }),
    )
const login = (name: string, password = testPassword) =>
  site.client().post(`${users}/login`, { email: name, password })
const confirm = (code: string) => site.client().call(confirmRegistration, { body: { code } })

/** The mails to an address, once there are `count`. */
async function mailsFor(email: string, count: number) {
  const mails = () => mailbox.mails.filter(({ recipients }) => recipients.includes(email))
  await expect.poll(mails, { timeout: 30_000 }).toHaveLength(count)
  return mails().map(({ subject, text = '' }) => ({
    subject,
    code: /confirm-registration#([\w-]+)/.exec(text)?.[1] ?? '',
  }))
}

test('an account exists once the link of the mail is opened, and the link works once', async () => {
  const { status, body } = await register('ines')
  expect([status, body.data]).toMatchObject([201, { username: 'ines', role: 'member', subscribersCount: 0 }])
  const { client: visitor } = await registered('watcher')
  expect((await visitor.get(`${users}/c/ines`)).status).toBe(404)
  for (const name of ['ines', 'ines@example.org']) {
    expect(await login(name)).toMatchObject({ status: 403, body: { message: /Confirm your email/ } })
    expect((await login(name, 'another password')).status).toBe(401)
  }
  const [mail] = await mailsFor('ines@example.org', 1)
  expect(await confirm(mail?.code ?? '')).toEqual({ awaitsApproval: false })
  expect((await login('ines')).status).toBe(200)
  expect((await visitor.get(`${users}/c/ines`)).body.data).toEqual({
    ...(body.data as object),
    email: undefined,
    role: undefined,
    watchHistory: undefined,
  })
  expect(await site.db.selectFrom('confirmedEmails').select('email').execute()).toContainEqual({
    email: 'ines@example.org',
  })
  await expect(confirm(mail?.code ?? '')).rejects.toMatchObject({ status: 400, errors: [{ path: 'code' }] })
})

/** An account whose address is confirmed, signed in. */
async function registered(username: string) {
  await register(username)
  const mails = await mailsFor(`${username}@example.org`, 1)
  await confirm(mails[0]?.code ?? '')
  const client = site.client()
  await client.post(`${users}/login`, { username, password: testPassword })
  return { client }
}

test('notifies webhooks of the site once the address is confirmed', async () => {
  const { client } = await registered('wilma')
  await site.db.updateTable('users').set({ role: 'administrator' }).where('username', '=', 'wilma').execute()
  const { _id: webhookId } = await client.call(createWebhook, {
    body: { url: 'http://127.0.0.1:9', events: ['user.registered'], isSite: true },
  })
  await registered('konrad')
  expect(await client.call(listWebhookDeliveries, { params: { webhookId } })).toMatchObject([
    { event: 'user.registered' },
  ])
})

test('nothing tells whether an account has the address, which gets a mail', async () => {
  await registered('jonas')
  const password = 'another good password'
  const taken = await register('mallory', { email: 'JONAS@example.org', password })
  const free = await register('nobody1', { email: 'nobody1@example.org', password })
  expect([taken.status, Object.keys(taken.body.data as object)]).toEqual([
    free.status,
    Object.keys(free.body.data as object),
  ])
  expect((await mailsFor('jonas@example.org', 2)).map(({ subject }) => subject)).toEqual([
    'Confirm your account on Kinora',
    'You already have an account on Kinora',
  ])
  // both names are reserved, and both log in alike
  for (const [username, email] of [
    ['mallory', 'jonas@example.org'],
    ['nobody1', 'nobody1@example.org'],
  ] as const) {
    expect(await register(username, { email: 'other@example.org' })).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'username' }] },
    })
    for (const name of [username, email]) expect((await login(name, password)).status).toBe(403)
  }
})

test('mails the link again, a few times an hour, and says the same for other addresses', async () => {
  const again = (username: string) =>
    site.client().call(requestRegistrationMail, { body: { email: `${username}@example.org`, username } })
  await register('late1')
  await mailsFor('late1@example.org', 1)
  for (let times = 0; times < 3; times += 1) expect(await again('late1')).toBe(null)
  expect(await again('stranger')).toBe(null)
  await registered('after1')
  const [first, second] = await mailsFor('late1@example.org', 2)
  // each of the links works, until one was opened
  await confirm(first?.code ?? '')
  await expect(confirm(second?.code ?? '')).rejects.toMatchObject({ status: 400 })
})

test('mails the link of the own registration again, not of a stranger with the same address', async () => {
  const email = 'owner1@example.org'
  await register('owner1')
  await register('thief1', { email, password: 'password of the thief' })
  await mailsFor(email, 2)
  // the limit of mails is that of another test
  await site.db.deleteFrom('rateLimits').execute()
  await site.client().call(requestRegistrationMail, { body: { email, username: 'owner1' } })
  const [, , third] = await mailsFor(email, 3)
  await confirm(third?.code ?? '')
  expect((await login(email)).status).toBe(200)
  expect((await login('thief1', 'password of the thief')).status).not.toBe(200)
})

test('a failed sign-in costs as much whether a registration waits or not', async () => {
  const { passwordHashing } = constants
  const costly = await createTestApp({
    settings: { ...mailbox.settings, CONFIRM_EMAILS: 'true' },
    constants: { passwordHashing },
  })
  onTestFinished(() => costly.close())
  const form = await registrationForm({ username: 'silent1', email: 'silent1@example.org' })
  expect((await costly.client().post(`${users}/register`, form)).status).toBe(201)
  await cpuOfFailedLogins(costly, 'warm up')
  const waiting = await cpuOfFailedLogins(costly, 'silent1')
  const unknown = await cpuOfFailedLogins(costly, 'nobody77')
  // one hash more or less would double or halve it
  expect(waiting / unknown).toBeGreaterThan(0.6)
  expect(waiting / unknown).toBeLessThan(1.6)
})

test('a link expires after a day, and a registration after a week, with its pictures and invitation', async () => {
  const now = site.context.clock.now()
  await changeSettings(site.context, null, { registration: 'invitation' })
  const invitation = { id: 'inv1', createdBy: await anyUserId(), createdAt: now, maxUses: 1 }
  await insertInvitation(site.db, { ...invitation, expiresAt: new Date(now.getTime() + 3600_000) })
  expect((await register('guest1', { invitation: 'inv1' })).status).toBe(201)
  expect((await register('guest2', { invitation: 'inv1' })).status).toBe(403)
  const [mail] = await mailsFor('guest1@example.org', 1)
  await site.db
    .updateTable('mailCodes')
    .set({ expiresAt: now })
    .where('registrationId', 'is not', null)
    .execute()
  await expect(confirm(mail?.code ?? '')).rejects.toMatchObject({ status: 400 })

  const eightDaysAgo = new Date(now.getTime() - 8 * 24 * 3600_000)
  await site.db
    .updateTable('registrations')
    .set({ createdAt: eightDaysAgo })
    .where('username', '=', 'guest1')
    .execute()
  await deleteOldUnconfirmed.handle({}, site.context, new AbortController().signal)
  expect(
    await site.db.selectFrom('registrations').select('id').where('username', '=', 'guest1').execute(),
  ).toEqual([])
  expect(await listInvitations(site.db, 'inv1')).toMatchObject([{ uses: 0 }])
  expect((await register('guest2', { invitation: 'inv1' })).status).toBe(201)
})

test('with approval, a moderator decides after the address is confirmed', async () => {
  await changeSettings(site.context, null, { registration: 'approval' })
  await register('waits1')
  const [mail] = await mailsFor('waits1@example.org', 1)
  expect(await confirm(mail?.code ?? '')).toEqual({ awaitsApproval: true })
  expect(await login('waits1')).toMatchObject({ status: 403, body: { message: /approval/ } })
})

test('a site without mail refuses the setting, and registers as before', async () => {
  const other = await createTestApp()
  await expect(changeSettings(other.context, null, { confirmEmails: true })).rejects.toMatchObject({
    code: 'conflict',
    errors: [{ path: 'confirmEmails', message: /SMTP_URL/ }],
  })
  await signUp(other)
  expect(await other.client().post(`${users}/register/mail`, { email: 'a@b', username: 'a' })).toMatchObject({
    status: 404,
  })
  await other.close()
})

const anyUserId = async () =>
  (await site.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()).id
