import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { addComment } from '@kinora/contract/conversation/comments.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { createReport } from '@kinora/contract/operations/reports.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resumeWebhook,
  testWebhook,
  type Webhook,
  type WebhookEvent,
} from '@kinora/contract/messages/webhooks.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { listen } from '@kinora/platform/testing/listen.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { publishScheduledVideos } from '../../videos/videos/actions/publish-scheduled.ts'
import { deliverWebhooks } from './jobs.ts'
import { deleteOldDeliveries, insertProcessingEvent, insertPublishedEvent, takeDue } from './queries.ts'
import { failuresUntilPause, signedHeaders } from './rules.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

let site: TestApp
let origin: string
const received: Received[] = []
/** Response of the receiver, by path. */
const statuses = new Map<string, number>()

const receiver = createServer((request, response) => {
  const path = request.url ?? ''
  void (async () => {
    received.push({ path, headers: request.headers, body: await text(request) })
    response.writeHead(statuses.get(path) ?? 204, { location: `${origin}/redirected` }).end()
  })()
})

beforeAll(async () => {
  origin = await listen(receiver)
  site = await createTestApp({ settings: { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' } })
})
afterAll(async () => {
  await site.close()
  receiver.close()
})

let count = 0

/** A webhook with a path of its own. */
async function add(client: TestClient, events: WebhookEvent[], isSite = false) {
  count += 1
  const path = `/hook-${count}`
  const webhook = await client.call(createWebhook, { body: { url: origin + path, events, isSite } })
  return { webhook, path }
}

const deliver = () => deliverWebhooks.handle({}, site.context, AbortSignal.timeout(60_000))
const bodiesAt = (path: string) =>
  received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body) as { type: string })
const deliveriesOf = (client: TestClient, { _id: webhookId }: Webhook) =>
  client.call(listWebhookDeliveries, { params: { webhookId } })

test('sends the events of own videos, signed, and records them', async () => {
  const owner = await signUp(site)
  const visitor = await signUp(site)
  const { webhook, path } = await add(owner.client, ['video.published', 'video.ready', 'comment.created'])
  const video = await upload(owner.client, 'Salt flats')
  await site.db.updateTable('videos').set({ processingState: 'ready' }).where('id', '=', video._id).execute()
  await insertProcessingEvent(site.db, video._id)
  const comment = await visitor.client.call(addComment, {
    body: { videoId: video._id, content: 'Well seen' },
  })
  // own comments and videos of others cause nothing
  await owner.client.call(addComment, { body: { videoId: video._id, content: 'Thanks' } })
  await upload(visitor.client, 'Dunes')
  await deliver()
  expect(
    bodiesAt(path)
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['comment.created', 'video.published', 'video.ready'])
  const sent = bodiesAt(path).find(({ type }) => type === 'comment.created')
  expect(sent).toMatchObject({
    data: { _id: comment._id, videoId: video._id, username: visitor.user.username, content: 'Well seen' },
  })
  for (const { headers, body } of received.filter((each) => each.path === path)) {
    const id = String(headers['webhook-id'])
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(headers).toMatchObject(signedHeaders(webhook.secret, { id, sentAt, body }))
  }
  const log = await deliveriesOf(owner.client, webhook)
  expect(log.map(({ state, status, attempts }) => [state, status, attempts])).toEqual(
    Array.from({ length: 3 }, () => ['delivered', 204, 1]),
  )
  await deliver()
  expect(bodiesAt(path)).toHaveLength(3)
})

test('sends events of the site to administrators only', async () => {
  const { client, user } = await signUp(site)
  const body = { url: origin, events: ['user.registered'] as const }
  expect((await client.post('/api/v1/webhooks', { ...body, isSite: true })).status).toBe(403)
  expect((await client.post('/api/v1/webhooks', body)).status).toBe(400)
  await updateRole(site.db, user._id, 'administrator')
  const { path } = await add(client, ['user.registered', 'report.created', 'video.published'], true)
  const author = await signUp(site)
  const videoId = await addVideo(site, author.user._id)
  await client.call(createReport, { body: { kind: 'video', subjectId: videoId, reason: 'spam' } })
  await upload(author.client, 'Dunes')
  await deliver()
  const types = ['report.created', 'user.registered', 'video.published']
  expect(
    bodiesAt(path)
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(types)
  await updateRole(site.db, user._id, 'member')
  await signUp(site)
  await deliver()
  expect(bodiesAt(path)).toHaveLength(3)
})

test('tries again with the same id, later and later, and pauses after many failures', async () => {
  const owner = await signUp(site)
  const { webhook, path } = await add(owner.client, ['video.published'])
  statuses.set(path, 500)
  await upload(owner.client, 'Salt flats')
  await deliver()
  await deliver()
  expect(bodiesAt(path)).toHaveLength(1)
  site.clock.advance(61_000)
  await deliver()
  const [first, second] = received.filter((each) => each.path === path)
  expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id'])
  expect(await deliveriesOf(owner.client, webhook)).toMatchObject([
    { state: 'waiting', status: 500, attempts: 2 },
  ])
  await site.db
    .updateTable('webhooks')
    .set({ failures: failuresUntilPause - 1 })
    .where('id', '=', webhook._id)
    .execute()
  site.clock.advance(301_000)
  await deliver()
  expect(await owner.client.call(listWebhooks, {})).toMatchObject([{ pausedAt: expect.any(String) }])
  const { items } = await owner.client.call(listNotifications, { query: {} })
  expect(items.filter(({ kind }) => kind === 'webhook')).toHaveLength(1)
  site.clock.advance(3600_000)
  await deliver()
  expect(bodiesAt(path)).toHaveLength(3)
  statuses.delete(path)
  await owner.client.call(resumeWebhook, { params: { webhookId: webhook._id } })
  await deliver()
  expect(await deliveriesOf(owner.client, webhook)).toMatchObject([{ state: 'delivered', attempts: 4 }])
})

test('follows no redirect', async () => {
  const { client } = await signUp(site)
  const { webhook, path } = await add(client, ['video.published'])
  statuses.set(path, 307)
  await client.call(testWebhook, { params: { webhookId: webhook._id } })
  await deliver()
  expect(await deliveriesOf(client, webhook)).toMatchObject([{ event: 'test', state: 'failed', status: 307 }])
  expect(bodiesAt('/redirected')).toEqual([])
})

test('queues one test at a time', async () => {
  const { client } = await signUp(site)
  const { webhook, path } = await add(client, ['video.published'])
  const request = { params: { webhookId: webhook._id } }
  const responses = await Promise.all(
    Array.from({ length: 5 }, async () => (await client.post(`/api/v1/webhooks/${webhook._id}/test`)).status),
  )
  expect(responses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409, 409])
  await deliver()
  expect(bodiesAt(path)).toHaveLength(1)
  await client.call(testWebhook, request)
  await expect(client.call(testWebhook, request)).rejects.toMatchObject({ status: 409 })
})

test('refuses tests of a webhook of the site whose owner is no administrator', async () => {
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const { webhook } = await add(client, ['user.registered'], true)
  await updateRole(site.db, user._id, 'member')
  for (let attempts = 1; attempts <= 2; attempts += 1)
    await expect(client.call(testWebhook, { params: { webhookId: webhook._id } })).rejects.toMatchObject({
      status: 403,
    })
  expect(await deliveriesOf(client, webhook)).toEqual([])
})

test('hundreds of deliveries of one owner hold up none of another', async () => {
  const [busy, other] = [await signUp(site), await signUp(site)]
  const webhooks = [await add(busy.client, ['video.published']), await add(busy.client, ['video.published'])]
  const { webhook } = await add(other.client, ['video.published'])
  for (const each of webhooks)
    await sql`
      insert into webhook_deliveries (id, webhook_id, event, subject_id, data)
      select ${each.webhook._id} || at, ${each.webhook._id}, 'video.published', at::text, '{}'
      from generate_series(1, 100) at`.execute(site.db)
  await insertPublishedEvent(site.db, await addVideo(site, other.user._id))
  const now = site.clock.now()
  const taken = await takeDue(site.db, { now, leasedUntil: now, limit: 50, perOwner: 10 })
  const ofBusy = taken.filter(({ webhookId }) => webhooks.some((each) => each.webhook._id === webhookId))
  expect(ofBusy).toHaveLength(10)
  expect(taken.map(({ webhookId }) => webhookId)).toContain(webhook._id)
  await deliver()
  for (const { path } of webhooks) expect(bodiesAt(path)).toHaveLength(100)
})

test('counts no attempt when the worker stops during it', async () => {
  const hanging = createTcpServer()
  const url = await listen(hanging)
  const { user, client } = await signUp(site)
  const webhook = await client.call(createWebhook, { body: { url, events: ['video.published'] } })
  for (let at = 0; at < 7; at += 1) await insertPublishedEvent(site.db, await addVideo(site, user._id))
  const stopping = new AbortController()
  hanging.once('connection', () => stopping.abort())
  await deliverWebhooks.handle({}, site.context, stopping.signal)
  hanging.close()
  const waiting = Array.from({ length: 7 }, () => ({ state: 'waiting', attempts: 0, problem: null }))
  expect(await deliveriesOf(client, webhook)).toMatchObject(waiting)
  expect(await client.call(listWebhooks, {})).toMatchObject([{ pausedAt: null }])
  // the others of this file would wait for this receiver
  await client.call(deleteWebhook, { params: { webhookId: webhook._id } })
})

test('is not notified of a scheduled video that was taken down', async () => {
  const { user, client } = await signUp(site)
  const { webhook } = await add(client, ['video.published'])
  const videoId = await addVideo(site, user._id, {
    visibility: 'scheduled',
    publishAt: new Date(0),
    takedownReason: 'a complaint',
  })
  expect(await publishScheduledVideos(site.context)).toEqual([videoId])
  expect(await deliveriesOf(client, webhook)).toEqual([])
})

test('a server that switches protocols fails, and delays nothing', async () => {
  const switching = createTcpServer((socket) =>
    socket
      .on('error', () => undefined)
      .once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n'),
      ),
  )
  const url = await listen(switching)
  const { client } = await signUp(site)
  const webhook = await client.call(createWebhook, { body: { url, events: ['video.published'] } })
  await client.call(testWebhook, { params: { webhookId: webhook._id } })
  await deliver()
  switching.close()
  expect(await deliveriesOf(client, webhook)).toMatchObject([
    { state: 'failed', status: null, problem: 'The connection failed' },
  ])
})

test.each(['http://127.0.0.2:9', 'http://[::1]:9', 'http://169.254.169.254/latest', 'http://10.0.0.1'])(
  'does not reach %s',
  async (url) => {
    const { client } = await signUp(site)
    const webhook = await client.call(createWebhook, { body: { url, events: ['video.published'] } })
    await client.call(testWebhook, { params: { webhookId: webhook._id } })
    await deliver()
    expect(await deliveriesOf(client, webhook)).toMatchObject([
      { state: 'failed', status: null, problem: 'The address is in a private network' },
    ])
  },
)

test.each(['ftp://example.org', 'https://name:secret@example.org', 'example.org'])(
  'refuses the address %s',
  async (url) => {
    const { client } = await signUp(site)
    const { status } = await client.post('/api/v1/webhooks', { url, events: ['video.published'] })
    expect(status).toBe(400)
  },
)

test('stores an address with unusual characters', async () => {
  const { client } = await signUp(site)
  const url = 'https://example.org/\u0000\ud800'
  const { status } = await client.post('/api/v1/webhooks', { url, events: ['video.published'] })
  expect(status).toBe(201)
})

test('keeps deliveries that wait for another attempt beyond the log', async () => {
  const { client } = await signUp(site)
  const { webhook } = await add(client, ['video.published'])
  const rows = (isWaiting: boolean) =>
    Array.from({ length: 60 }, (_, at) => ({
      id: `${webhook._id}-${isWaiting}-${at}`,
      webhookId: webhook._id,
      event: 'video.published',
      subjectId: `${isWaiting}-${at}`,
      data: '{}',
      createdAt: new Date(at),
      nextAttemptAt: isWaiting ? new Date('2999-01-01') : null,
    }))
  await site.db
    .insertInto('webhookDeliveries')
    .values([...rows(true), ...rows(false)])
    .execute()
  await deleteOldDeliveries(site.db, [webhook._id])
  const { rows: kept } = await sql<{ waiting: number; over: number }>`
    select count(next_attempt_at)::int as waiting, (count(*) - count(next_attempt_at))::int as over
    from webhook_deliveries where webhook_id = ${webhook._id}`.execute(site.db)
  expect(kept[0]?.waiting).toBe(60)
  expect(kept[0]?.over).toBeLessThanOrEqual(50)
})

test('belongs to one person, and its log keeps fifty deliveries', async () => {
  const { user, client } = await signUp(site)
  const stranger = await signUp(site)
  const { webhook } = await add(client, ['video.published'])
  const params = { webhookId: webhook._id }
  for (const endpoint of [testWebhook, resumeWebhook, deleteWebhook, listWebhookDeliveries])
    await expect(stranger.client.call(endpoint, { params })).rejects.toMatchObject({ status: 404 })
  for (let at = 0; at < 52; at += 1) await insertPublishedEvent(site.db, await addVideo(site, user._id))
  await deliver()
  const { length } = await site.db
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('webhookId', '=', webhook._id)
    .execute()
  expect(length).toBe(50)
  await client.call(deleteWebhook, { params })
  expect(await client.call(listWebhooks, {})).toEqual([])
})
