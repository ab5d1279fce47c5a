import { addComment, removeComment } from '@kinora/contract/conversation/comments.ts'
import {
  countUnreadNotifications,
  listNotifications,
  putNotificationSettings,
  readAllNotifications,
  readNotification,
} from '@kinora/contract/messages/notifications.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { type Visibility } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { deleteAccount } from '../../portability/account-deletion/actions.ts'
import { changeSuspension } from '../../operations/people/actions.ts'
import { takeDown } from '../../videos/videos/actions/hide-video.ts'
import { publishScheduledVideos } from '../../videos/videos/actions/publish-scheduled.ts'
import { updateProcessing } from '../../videos/videos/queries/processing.ts'
import { notifyOfNewVideo } from './actions.ts'
import { deleteOldNotifications } from './jobs.ts'
import { listToSend } from './queries/notifications.ts'
import { notifyProcessingEnded } from './queries/videos.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

const list = async (client: TestClient) => (await client.call(listNotifications, { query: {} })).items
const unread = async (client: TestClient) => (await client.call(countUnreadNotifications, {})).unread
const comment = (client: TestClient, videoId: string, content = 'Well seen') =>
  client.call(addComment, { body: { videoId, content } })

async function channelWithSubscriber() {
  const [channel, viewer] = [await signUp(site), await signUp(site)]
  await viewer.client.call(toggleSubscription, { params: { username: channel.user.username } })
  await site.db.deleteFrom('notifications').where('userId', '=', channel.user._id).execute()
  return { channel, viewer }
}

const setVisibility = (client: TestClient, id: string, visibility: Visibility) =>
  client.call(changeOwnVideo, {
    params: { id },
    body: {
      visibility,
      ...(visibility === 'scheduled'
        ? { publishAt: new Date(site.clock.now().getTime() + 60_000).toISOString() }
        : {}),
    },
  })

test('notifies the subscribers of a new public video once', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const videoId = await addVideo(site, channel.user._id, { title: 'Harbour' })
  await notifyOfNewVideo(site.context, videoId)
  await expect.poll(() => unread(viewer.client)).toBe(1)
  expect(await list(viewer.client)).toEqual([
    {
      _id: expect.any(String),
      kind: 'video',
      isRead: false,
      createdAt: expect.any(String),
      actor: {
        username: channel.user.username,
        fullname: channel.user.fullname,
        avatar: channel.user.avatar,
      },
      actorsCount: 1,
      video: { _id: videoId, title: 'Harbour', thumbnail: expect.any(String), processing: 'processing' },
      comment: null,
      report: null,
      device: null,
    },
  ])
  await setVisibility(channel.client, videoId, 'unlisted')
  await setVisibility(channel.client, videoId, 'public')
  const next = await addVideo(site, channel.user._id)
  await notifyOfNewVideo(site.context, next)
  await expect.poll(() => unread(viewer.client)).toBe(2)
})

test('notifies of a scheduled video when it is published', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const videoId = await addVideo(site, channel.user._id)
  await setVisibility(channel.client, videoId, 'scheduled')
  await notifyOfNewVideo(site.context, videoId)
  site.clock.advance(61_000)
  expect(await publishScheduledVideos(site.context)).toContain(videoId)
  await expect.poll(() => unread(viewer.client)).toBe(1)
  expect((await list(viewer.client))[0]?.video?._id).toBe(videoId)
})

test.each(['private', 'taken down', 'deleted'])(
  'withdraws the notifications of a video that is %s',
  async (how) => {
    const { channel, viewer } = await channelWithSubscriber()
    const videoId = await addVideo(site, channel.user._id)
    await notifyOfNewVideo(site.context, videoId)
    await expect.poll(() => unread(viewer.client)).toBe(1)
    if (how === 'private') await setVisibility(channel.client, videoId, 'private')
    if (how === 'taken down') await takeDown(site.context, videoId, 'a complaint')
    if (how === 'deleted') await channel.client.call(deleteVideo, { params: { id: videoId } })
    expect(await list(viewer.client)).toEqual([])
    await expect.poll(() => unread(viewer.client)).toBe(0)
  },
)

test('notifies the owner of a comment, and nobody of an own one', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const videoId = await addVideo(site, channel.user._id)
  await comment(channel.client, videoId)
  const { _id } = await comment(viewer.client, videoId, 'x'.repeat(300))
  expect(await unread(channel.client)).toBe(1)
  expect(await list(channel.client)).toMatchObject([
    { kind: 'comment', actor: { username: viewer.user.username }, comment: { content: 'x'.repeat(200) } },
  ])
  await channel.client.call(removeComment, { params: { videoId, commentId: _id } })
  expect([await unread(channel.client), await list(channel.client)]).toEqual([0, []])
})

test('leaves out comments that a suspension hides, until the account is reinstated', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const videoId = await addVideo(site, channel.user._id)
  await comment(viewer.client, videoId, 'Cheap watches')
  const suspend = (isSuspended: boolean) =>
    changeSuspension(site.context, null, viewer.user.username, { isSuspended, hidesContent: true })
  const all = await site.db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', channel.user._id)
    .execute()
  const ids = all.map(({ id }) => id)
  expect(await unread(channel.client)).toBe(1)
  await suspend(true)
  expect([await unread(channel.client), await list(channel.client)]).toEqual([0, []])
  const request = { userId: channel.user._id, ids, since: new Date(0), limit: 10 }
  expect(await listToSend(site.db, request, 'push')).toEqual([])
  await suspend(false)
  expect(await unread(channel.client)).toBe(1)
  expect(await list(channel.client)).toMatchObject([{ comment: { content: 'Cheap watches' } }])
  expect(await listToSend(site.db, request, 'push')).toHaveLength(1)
})

test('groups new subscribers until they are read', async () => {
  const { user, client } = await signUp(site)
  const subscribe = async () => {
    const viewer = await signUp(site)
    await viewer.client.call(toggleSubscription, { params: { username: user.username } })
    return viewer.user.username
  }
  await client.call(toggleSubscription, { params: { username: user.username } })
  expect(await list(client)).toEqual([])
  await subscribe()
  const second = await subscribe()
  expect(await unread(client)).toBe(1)
  expect(await list(client)).toMatchObject([{ actor: { username: second }, actorsCount: 2 }])
  await client.call(readAllNotifications, {})
  const third = await subscribe()
  expect(await unread(client)).toBe(1)
  expect(await list(client)).toMatchObject([
    { actor: { username: third }, actorsCount: 1 },
    { actor: { username: second }, isRead: true },
  ])
})

test('takes a subscriber who leaves out of the group', async () => {
  const { user, client } = await signUp(site)
  const params = { username: user.username }
  const viewers = [await signUp(site), await signUp(site), await signUp(site)] as const
  const [first, second, third] = viewers
  for (const viewer of viewers) await viewer.client.call(toggleSubscription, { params })
  await second.client.call(toggleSubscription, { params })
  expect(await list(client)).toMatchObject([{ actor: { username: third.user.username }, actorsCount: 2 }])
  await deleteAccount(site.context, third.user._id)
  expect(await list(client)).toMatchObject([{ actor: { username: first.user.username }, actorsCount: 1 }])
  await first.client.call(toggleSubscription, { params })
  expect([await unread(client), await list(client)]).toEqual([0, []])
})

test('keeps the group when somebody leaves who subscribed before it', async () => {
  const { user, client } = await signUp(site)
  const params = { username: user.username }
  const [first, second] = [await signUp(site), await signUp(site)]
  await first.client.call(toggleSubscription, { params })
  await client.call(readAllNotifications, {})
  await nextMillisecond()
  await second.client.call(toggleSubscription, { params })
  await first.client.call(toggleSubscription, { params })
  expect(await unread(client)).toBe(1)
  expect(await list(client)).toMatchObject([
    { actor: { username: second.user.username }, actorsCount: 1, isRead: false },
    { actor: { username: first.user.username }, actorsCount: 1, isRead: true },
  ])
})

test('notifies the owner when processing ends, again after another try', async () => {
  const { client, user } = await signUp(site)
  const videoId = await addVideo(site, user._id)
  await notifyProcessingEnded(site.db, videoId)
  expect(await list(client)).toEqual([])
  await updateProcessing(site.db, videoId, { state: 'failed', progress: 1, reason: 'Damaged' })
  await notifyProcessingEnded(site.db, videoId)
  const [failed] = await list(client)
  expect(failed).toMatchObject({ kind: 'processing', actor: null, video: { processing: 'failed' } })
  await client.call(readNotification, { params: { notificationId: failed?._id ?? '' } })
  expect(await unread(client)).toBe(0)
  await updateProcessing(site.db, videoId, { state: 'ready', progress: 1, reason: null })
  await notifyProcessingEnded(site.db, videoId)
  expect(await unread(client)).toBe(1)
  expect(await list(client)).toMatchObject([{ isRead: false, video: { processing: 'ready' } }])
})

test('leaves out the kinds that are switched off', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  await viewer.client.call(putNotificationSettings, { body: { muted: ['video'] } })
  const saved = await channel.client.call(putNotificationSettings, {
    body: { muted: ['comment', 'subscriber', 'processing'] },
  })
  expect(saved.muted).toEqual(['comment', 'processing', 'subscriber'])
  const videoId = await addVideo(site, channel.user._id, { processingState: 'ready' })
  await comment(viewer.client, videoId)
  await notifyProcessingEnded(site.db, videoId)
  const other = await signUp(site)
  await other.client.call(toggleSubscription, { params: { username: channel.user.username } })
  await notifyOfNewVideo(site.context, videoId)
  await expect.poll(() => unread(other.client)).toBe(1)
  expect([await list(viewer.client), await list(channel.client)]).toEqual([[], []])
  await channel.client.call(putNotificationSettings, { body: { muted: [] } })
  await comment(viewer.client, videoId)
  expect(await unread(channel.client)).toBe(1)
})

test('pages and reads only what is of the caller', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const videoId = await addVideo(site, channel.user._id)
  for (let n = 0; n < 5; n += 1) await comment(viewer.client, videoId, `${n}`)
  const seen: (string | undefined)[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 2, ...(cursor ? { cursor } : {}) }
    const page = await channel.client.call(listNotifications, { query })
    seen.push(...page.items.map((item) => item.comment?.content))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(['4', '3', '2', '1', '0'])
  const [first] = await list(channel.client)
  const path = `/api/v1/notifications/${first?._id}/read`
  expect((await viewer.client.put(path)).status).toBe(404)
  expect((await channel.client.put('/api/v1/notifications/99999999999999999999999/read')).status).toBe(404)
  expect((await channel.client.put(path)).status).toBe(200)
  expect(await unread(channel.client)).toBe(4)
  await channel.client.call(readAllNotifications, {})
  expect(await unread(channel.client)).toBe(0)
  expect((await channel.client.get('/api/v1/notifications?cursor=bm90aGluZw')).status).toBe(400)
})

/** The unread counts that an open event stream receives, the latest last. */
async function followUnread(client: TestClient): Promise<number[]> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await client.fetch('/api/v1/events', { signal: leaving.signal })
  const received: number[] = []
  void (async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      received.length = 0
      for (const [, count] of text.matchAll(/event: notifications\ndata: \{"unread":(\d+)\}/g))
        received.push(Number(count))
    }
  })().catch(() => {})
  return received
}

test('streams the unread count first and whenever it changes', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const received = await followUnread(channel.client)
  await expect.poll(() => received.at(-1)).toBe(0)
  const videoId = await addVideo(site, channel.user._id)
  await comment(viewer.client, videoId)
  await expect.poll(() => received.at(-1)).toBe(1)
  await channel.client.call(readAllNotifications, {})
  await expect.poll(() => received.at(-1)).toBe(0)
})

test('streams a count without comments that a suspension hides', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const other = await signUp(site)
  const videoId = await addVideo(site, channel.user._id)
  await comment(viewer.client, videoId, 'Cheap watches')
  await changeSuspension(site.context, null, viewer.user.username, { isSuspended: true, hidesContent: true })
  const received = await followUnread(channel.client)
  await expect.poll(() => received.at(-1)).toBe(0)
  await comment(other.client, videoId)
  await expect.poll(() => received.at(-1)).toBe(1)
})

test(
  'notifies thousands of subscribers in batches and keeps every count',
  { timeout: 240_000, tags: ['nightly'] },
  async () => {
    const { channel, viewer } = await channelWithSubscriber()
    await sql`
    insert into users (id, username, email, fullname, password_hash, avatar)
    select 'crowd' || n, 'crowd' || n, 'crowd' || n || '@example.org', 'One of many', 'x', 'none'
    from generate_series(1, 4500) n`.execute(site.db)
    await sql`
    insert into subscriptions (subscriber_id, channel_id)
    select 'crowd' || n, ${channel.user._id} from generate_series(1, 4500) n`.execute(site.db)
    const received = await followUnread(viewer.client)
    await expect.poll(() => received.at(-1)).toBe(0)
    const videoId = await addVideo(site, channel.user._id)
    const counts = async () => {
      const { rows } = await sql<{ people: number; unread: number }>`
      select count(*) as people, coalesce(sum(unread), 0) as unread from unread_notifications
      where user_id like 'crowd%' and unread > 0`.execute(site.db)
      return { people: Number(rows[0]?.people), unread: Number(rows[0]?.unread) }
    }
    await notifyOfNewVideo(site.context, videoId)
    await notifyOfNewVideo(site.context, videoId)
    await expect.poll(counts, { timeout: 60_000 }).toEqual({ people: 4500, unread: 4500 })
    await expect.poll(() => received.at(-1), { timeout: 60_000 }).toBe(1)
    await channel.client.call(deleteVideo, { params: { id: videoId } })
    await expect.poll(counts, { timeout: 60_000 }).toEqual({ people: 0, unread: 0 })
    await expect.poll(() => received.at(-1), { timeout: 60_000 }).toBe(0)
  },
)

test('deletes old notifications', async () => {
  const { channel, viewer } = await channelWithSubscriber()
  const videoId = await addVideo(site, channel.user._id)
  await comment(viewer.client, videoId)
  await sql`update notifications set created_at = now() - interval '100 days' where user_id = ${channel.user._id}`.execute(
    site.db,
  )
  await deleteOldNotifications.handle({}, site.context, AbortSignal.timeout(60_000))
  expect([await unread(channel.client), await list(channel.client)]).toEqual([0, []])
})
