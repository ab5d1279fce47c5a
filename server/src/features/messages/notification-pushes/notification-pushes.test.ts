import { addComment } from '@kinora/contract/conversation/comments.ts'
import { mutePerson } from '@kinora/contract/conversation/mutes.ts'
import {
  type NotificationKind,
  putNotificationSettings,
  readAllNotifications,
} from '@kinora/contract/messages/notifications.ts'
import {
  deletePushSubscription,
  getNotificationPushes,
  putNotificationPushes,
  putPushSubscription,
} from '@kinora/contract/messages/notification-pushes.ts'
import { endOtherSessions, logout } from '@kinora/contract/accounts/sessions.ts'
import { putLanguage } from '@kinora/contract/accounts/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PushSender } from '@kinora/platform/push/push-sender.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import {
  createPushService,
  type TestPushService,
  TestSubscription,
  verifyVapid,
} from '../../../testing/fixtures/test-push-service.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { deleteAccount } from '../../portability/account-deletion/actions.ts'
import { kindsOf } from '../notifications/rules.ts'
import { queuePushes, sendNotificationPush } from './jobs.ts'

let service: TestPushService
let site: TestApp

beforeAll(async () => {
  service = await createPushService()
  site = await createTestApp({
    worker: true,
    settings: { PUBLIC_URL: 'https://video.example.org', LOG_LEVEL: 'silent' },
    constants: { pushAddresses: ['127.0.0.1'], pushAuthority: service.authority },
  })
})
afterAll(async () => {
  await site.close()
  await service.close()
})
beforeEach(async () => {
  service.pushes.length = 0
  service.refusals.length = 0
  service.attempts = 0
  await site.db.deleteFrom('pushSubscriptions').execute()
})

let subscriptions = 0

/** Subscribes a session to the push service. */
async function subscribe(
  client: TestClient,
  endpoint = `${service.origin}/push/${(subscriptions += 1)}`,
): Promise<TestSubscription> {
  const subscription = new TestSubscription(endpoint)
  await client.call(putPushSubscription, { body: subscription.toJSON() })
  return subscription
}

/** Somebody with a subscribed browser, and a channel with a video. */
async function subscribed() {
  const { client, user } = await signUp(site)
  const channel = await signUp(site)
  const videoId = await addVideo(site, channel.user._id, { title: 'Harbour' })
  return { client, user, channel, videoId, subscription: await subscribe(client) }
}

const signInAgain = async (user: { username: string }) => {
  const client = site.client()
  await client.post('/api/v1/users/login', { username: user.username, password: testPassword })
  return client
}

const notify = (
  userId: string,
  fields: { kind?: NotificationKind; videoId?: string; actorId?: string } = {},
) =>
  site.db
    .insertInto('notifications')
    .values({ userId, kind: 'sign_in', ...fields })
    .execute()

const countJobs = async () => {
  const pushes = (await site.context.jobs.summarize()).find(({ name }) => name === sendNotificationPush.name)
  return pushes && [pushes.waiting, pushes.later, pushes.running]
}

/** Pushes what is due; returns the addresses that accepted a message, sorted. */
async function push(workers = 1): Promise<string[]> {
  await Promise.all(
    Array.from({ length: workers }, () => queuePushes.handle({}, site.context, new AbortController().signal)),
  )
  await expect.poll(countJobs, { timeout: 30_000 }).toEqual([0, 0, 0])
  return service.pushes.map(({ path }) => service.origin + path).toSorted()
}

const endpointOf = async (client: TestClient) => (await client.call(getNotificationPushes, {})).endpoint

test('sends an encrypted message that the key of the site has signed', async () => {
  const { client, user, channel, videoId, subscription } = await subscribed()
  await notify(user._id, { kind: 'video', videoId })
  expect(await push()).toEqual([subscription.endpoint])
  const [message] = service.pushes
  expect(message?.headers).toMatchObject({
    ttl: String(24 * 3600),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
  })
  expect(message?.body.length).toBeLessThanOrEqual(4096)
  expect(subscription.decrypt(message?.body ?? Buffer.of())).toEqual({
    id: expect.stringMatching(/^\d+$/),
    kind: 'video',
    title: 'Kinora',
    body: `${channel.user.username} published Harbour`,
    path: `/video/${videoId}`,
  })
  const { publicKey } = await client.call(getNotificationPushes, {})
  const claims = await verifyVapid(String(message?.headers['authorization']), publicKey)
  expect(claims).toMatchObject({ aud: service.origin, sub: 'https://video.example.org' })
  const validSeconds = claims.exp - Date.now() / 1000
  expect(validSeconds).toBeGreaterThan(60)
  expect(validSeconds).toBeLessThanOrEqual(24 * 3600)
  expect(await push()).toHaveLength(1)
})

test('writes in the language that the account has chosen', async () => {
  const { client, user, channel, videoId, subscription } = await subscribed()
  await client.call(putLanguage, { body: { language: 'es' } })
  await notify(user._id, { kind: 'video', videoId, actorId: channel.user._id })
  await push()
  const message = subscription.decrypt(service.pushes[0]?.body ?? Buffer.of())
  expect(message).toMatchObject({ body: `${channel.user.username} publicó Harbour` })
})

test('pushes each kind to every device of a person, once, whatever the number of workers', async () => {
  const { user, channel, videoId, subscription } = await subscribed()
  const phone = await subscribe(await signInAgain(user))
  service.pushes.length = 0
  for (const kind of kindsOf('member')) await notify(user._id, { kind, videoId, actorId: channel.user._id })
  const sent = await push(3)
  expect(sent).toEqual(
    kindsOf('member')
      .flatMap(() => [subscription.endpoint, phone.endpoint])
      .toSorted(),
  )
})

test('pushes nothing without a subscription, and nothing from before it', async () => {
  const { client, user } = await signUp(site)
  await notify(user._id)
  await subscribe(client)
  expect(await push()).toEqual([])
})

test('leaves out kinds that are off in the site or for push', async () => {
  const { client, user, channel, videoId, subscription } = await subscribed()
  await client.call(putNotificationPushes, { body: { muted: ['subscriber', 'processing'] } })
  await client.call(putNotificationPushes, { body: { muted: ['subscriber'] } })
  await notify(user._id, { kind: 'subscriber', actorId: channel.user._id })
  await notify(user._id, { kind: 'processing', videoId })
  await notify(user._id, { kind: 'sign_in' })
  await client.call(putNotificationSettings, { body: { muted: ['sign_in'] } })
  await push()
  expect(service.pushes.map(({ body }) => subscription.decrypt(body)['kind'])).toEqual(['processing'])
  expect(await client.call(getNotificationPushes, {})).toMatchObject({ muted: ['subscriber'] })
})

test('leaves out what was read or withdrawn, and comments of muted people', async () => {
  const { client, user, channel } = await subscribed()
  const own = await addVideo(site, user._id)
  await notify(user._id)
  await client.call(readAllNotifications, {})
  await channel.client.call(addComment, { body: { videoId: own, content: 'Well seen' } })
  await client.call(mutePerson, { params: { username: channel.user.username }, body: { isBlocked: false } })
  await channel.client.call(addComment, { body: { videoId: own, content: 'Again' } })
  await notify(user._id)
  await site.db
    .deleteFrom('notifications')
    .where('userId', '=', user._id)
    .where('kind', '=', 'sign_in')
    .execute()
  expect(await push()).toEqual([])
  expect(service.attempts).toBe(0)
})

test.each<[string, (user: Awaited<ReturnType<typeof subscribed>>) => Promise<unknown>]>([
  ['signs out', ({ client }) => client.call(logout, {})],
  ['switches it off', ({ client }) => client.call(deletePushSubscription, {})],
  ['ends other sessions', async ({ user }) => (await signInAgain(user)).call(endOtherSessions, {})],
  [
    'is suspended',
    ({ user }) =>
      site.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', user._id).execute(),
  ],
  [
    'lets the session expire',
    ({ user }) =>
      site.db
        .updateTable('sessions')
        .set({ expiresAt: new Date(0) })
        .where('userId', '=', user._id)
        .execute(),
  ],
  ['deletes the account', ({ user }) => deleteAccount(site.context, user._id)],
])('pushes nothing once a person %s', async (_, end) => {
  const fixture = await subscribed()
  await notify(fixture.user._id)
  await end(fixture)
  expect(await push()).toEqual([])
  expect(service.attempts).toBe(0)
})

test.each([404, 410])('removes a subscription that the push service answers with %i', async (status) => {
  const { client, user, subscription } = await subscribed()
  expect(await endpointOf(client)).toBe(subscription.endpoint)
  service.refusals.push(status)
  await notify(user._id)
  expect(await push()).toEqual([])
  expect(service.attempts).toBe(1)
  expect(await endpointOf(client)).toBeNull()
})

test.each([429, 503])('tries again after %i', async (status) => {
  const { user, subscription } = await subscribed()
  service.refusals.push(status)
  await notify(user._id)
  expect(await push()).toEqual([subscription.endpoint])
  expect(service.attempts).toBe(2)
})

test.each([302, 307, 400, 413])('neither repeats nor redirects a message after %i', async (status) => {
  const { client, user, subscription } = await subscribed()
  service.refusals.push(status)
  await notify(user._id)
  expect(await push()).toEqual([])
  expect(service.attempts).toBe(1)
  expect(await endpointOf(client)).toBe(subscription.endpoint)
})

test('requests no address that is not public', async () => {
  const guarded = new PushSender({
    secret: site.context.secret,
    subject: 'https://video.example.org',
    allowedAddresses: [],
    ca: service.authority,
  })
  const { port } = new URL(service.origin)
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '10.0.0.1']) {
    const { endpoint, keys } = new TestSubscription(`https://${host}:${port}/push`).toJSON()
    expect(await guarded.send({ endpoint, ...keys }, { kind: 'video' }), host).toBe('refused')
  }
  expect(service.attempts).toBe(0)
})

test('refuses addresses without TLS and keys that encrypt nothing', async () => {
  const { client } = await signUp(site)
  const { endpoint, keys } = new TestSubscription(`${service.origin}/push`).toJSON()
  const path = '/api/v1/notifications/pushes/subscription'
  for (const bad of [
    { endpoint: endpoint.replace('https', 'http'), keys },
    { endpoint: 'file:///etc/passwd', keys },
    { endpoint: `${endpoint}${'x'.repeat(2000)}`, keys },
    { endpoint, keys: { ...keys, p256dh: keys.p256dh.replace(/^./, 'A') } },
    { endpoint, keys: { ...keys, auth: 'abc' } },
    { endpoint },
  ])
    expect((await client.put(path, bad)).status, JSON.stringify(bad)).toBe(400)
  expect(await endpointOf(client)).toBeNull()
})

test('a browser belongs to the person who subscribed it last', async () => {
  const { client, user, subscription } = await subscribed()
  const next = await signUp(site)
  await subscribe(next.client, subscription.endpoint)
  await notify(user._id)
  expect(await push()).toEqual([])
  expect(await endpointOf(client)).toBeNull()
  expect(await endpointOf(next.client)).toBe(subscription.endpoint)
})

test('a person has at most twenty subscriptions, the newest', async () => {
  const { client, user } = await subscribed()
  for (let count = 0; count < 20; count += 1) await subscribe(await signInAgain(user))
  expect(await endpointOf(client)).toBeNull()
  const { length } = await site.db
    .selectFrom('pushSubscriptions')
    .select('id')
    .where('userId', '=', user._id)
    .execute()
  expect(length).toBe(20)
})
