import { mutePerson } from '@kinora/contract/conversation/mutes.ts'
import { listNotifications, putNotificationSettings } from '@kinora/contract/messages/notifications.ts'
import { deleteReminder, getPremiere, putReminder } from '@kinora/contract/live/premieres.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { changeApproval } from '../../videos/videos/actions/change-visibility.ts'
import { takeDown } from '../../videos/videos/actions/hide-video.ts'
import { publishScheduledVideos } from '../../videos/videos/actions/publish-scheduled.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

const inSeconds = (seconds: number) => new Date(site.clock.now().getTime() + seconds * 1000).toISOString()

/** A video of a new owner that premieres in a minute. */
async function schedulePremiere() {
  const owner = await signUp(site)
  const videoId = await addVideo(site, owner.user._id, { title: 'Salt flats', durationSeconds: 600 })
  const startsAt = inSeconds(60)
  const schedule = (body: { publishAt: string; isPremiere?: boolean }) =>
    owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'scheduled', ...body } })
  await schedule({ publishAt: startsAt, isPremiere: true })
  return { owner, videoId, startsAt, schedule, params: { videoId } }
}

const row = (videoId: string) =>
  site.db
    .selectFrom('videos')
    .select(['visibility', 'publishAt', 'premiereAt', 'chatFrom', 'chatUntil'])
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()

const remindersOf = (videoId: string) =>
  site.db.selectFrom('videoReminders').select('userId').where('videoId', '=', videoId).execute()

async function begin() {
  site.clock.advance(61_000)
  await publishScheduledVideos(site.context)
}

test('announces a premiere to everybody: title, poster and clock, but nothing of the video', async () => {
  const { owner, videoId, startsAt, params } = await schedulePremiere()
  const { _id, username, fullname, avatar } = owner.user
  const anonymous = site.client()
  expect(await anonymous.call(getPremiere, { params })).toEqual({
    _id: videoId,
    title: 'Salt flats',
    thumbnail: expect.any(String),
    videoOwner: { _id, username, fullname, avatar },
    startsAt,
    now: site.clock.now().toISOString(),
    hasChat: true,
    isReminded: false,
  })
  const { status } = await anonymous.get(`/api/v1/video/${videoId}`)
  expect(status).toBe(404)
})

test('is an ordinary video of the same address once it has begun', async () => {
  const { videoId, startsAt } = await schedulePremiere()
  await begin()
  const [video] = await site.client().call(getVideo, { params: { id: videoId } })
  expect(video).toMatchObject({
    visibility: 'public',
    premiereAt: startsAt,
    createdAt: startsAt,
    hasChat: true,
  })
  const page = await site.client().get('/api/v1/video/all')
  expect(page.text).toContain(startsAt)
})

test('is not announced while it waits for approval, is taken down, or without a premiere', async () => {
  const { owner, videoId, schedule, params } = await schedulePremiere()
  const status = async () => (await site.client().get(`/api/v1/premieres/${videoId}`)).status
  expect(await status()).toBe(200)
  await changeApproval(site.context, videoId, false, async () => undefined)
  expect(await status()).toBe(404)
  await changeApproval(site.context, videoId, true, async () => undefined)
  expect(await status()).toBe(200)
  await schedule({ publishAt: inSeconds(90), isPremiere: false })
  expect(await status()).toBe(404)
  expect((await owner.client.get(`/api/v1/premieres/${params.videoId}`)).status).toBe(404)
  await schedule({ publishAt: inSeconds(90), isPremiere: true })
  await takeDown(site.context, videoId, 'A reason')
  expect(await status()).toBe(404)
})

test('moves with its time, and ends with its schedule', async () => {
  const { owner, videoId, schedule } = await schedulePremiere()
  const later = inSeconds(3600)
  await schedule({ publishAt: later })
  const moved = await row(videoId)
  expect([moved.premiereAt, moved.chatFrom]).toEqual([new Date(later), new Date(later)])
  expect(moved.chatUntil).toEqual(new Date(Date.parse(later) + (600 + 300) * 1000))
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'private' } })
  expect(await row(videoId)).toMatchObject({ premiereAt: null, chatFrom: null, chatUntil: null })
})

test('stays a premiere when its visibility changes after it has begun', async () => {
  const { owner, videoId, startsAt, schedule } = await schedulePremiere()
  await begin()
  await owner.client.call(changeOwnVideo, { params: { id: videoId }, body: { visibility: 'unlisted' } })
  expect((await row(videoId)).premiereAt).toEqual(new Date(startsAt))
  // scheduled again as an ordinary video: nothing is announced
  await schedule({ publishAt: inSeconds(60) })
  expect((await row(videoId)).chatFrom).toEqual(new Date(startsAt))
  expect((await site.client().get(`/api/v1/premieres/${videoId}`)).status).toBe(404)
})

test('rejects a premiere without a schedule', async () => {
  const { owner, videoId } = await schedulePremiere()
  const body = { visibility: 'public', isPremiere: true }
  const { status } = await owner.client.patch(`/api/v1/studio/videos/${videoId}`, body)
  expect(status).toBe(400)
})

const kinds = async ({ client }: Awaited<ReturnType<typeof signUp>>) =>
  (await client.call(listNotifications, { query: {} })).items.map(({ kind, actor, video }) => [
    kind,
    actor?.username,
    video?._id,
  ])

test('reminds people when it begins, once, and subscribers among them with one notification', async () => {
  const { owner, videoId, params } = await schedulePremiere()
  const [subscriber, viewer, changed, muting] = [
    await signUp(site),
    await signUp(site),
    await signUp(site),
    await signUp(site),
  ]
  await subscriber.client.call(toggleSubscription, { params: { username: owner.user.username } })
  for (const { client } of [subscriber, viewer, changed, muting]) await client.call(putReminder, { params })
  await viewer.client.call(putReminder, { params })
  await changed.client.call(deleteReminder, { params })
  await muting.client.call(mutePerson, {
    params: { username: owner.user.username },
    body: { isBlocked: false },
  })
  expect((await viewer.client.call(getPremiere, { params })).isReminded).toBe(true)

  expect(await kinds(viewer)).toEqual([])
  await begin()
  await expect.poll(() => kinds(viewer)).toEqual([['premiere', owner.user.username, videoId]])
  await expect.poll(() => kinds(subscriber)).toEqual([['premiere', owner.user.username, videoId]])
  await expect
    .poll(async () => (await site.db.selectFrom('announcedVideos').select('videoId').execute()).length)
    .toBeGreaterThan(0)
  expect(await kinds(subscriber)).toHaveLength(1)
  expect(await kinds(changed)).toEqual([])
  expect(await kinds(muting)).toEqual([])
  expect((await viewer.client.put(`/api/v1/premieres/${videoId}/reminder`)).status).toBe(404)
})

test('reminds nobody of a premiere that was cancelled; subscribers hear of the video', async () => {
  const { owner, videoId, schedule, params } = await schedulePremiere()
  const [subscriber, viewer] = [await signUp(site), await signUp(site)]
  await subscriber.client.call(toggleSubscription, { params: { username: owner.user.username } })
  for (const { client } of [subscriber, viewer]) await client.call(putReminder, { params })
  await schedule({ publishAt: inSeconds(60), isPremiere: false })
  await begin()
  await expect.poll(() => kinds(subscriber)).toEqual([['video', owner.user.username, videoId]])
  expect(await kinds(viewer)).toEqual([])
  expect(await remindersOf(videoId)).toEqual([])
  // nor of a later one, which they did not ask for
  await schedule({ publishAt: inSeconds(60), isPremiere: true })
  expect((await viewer.client.call(getPremiere, { params })).isReminded).toBe(false)
})

test('subscribers with a reminder who switched premieres off are notified of the video', async () => {
  const { owner, videoId, params } = await schedulePremiere()
  const subscriber = await signUp(site)
  await subscriber.client.call(toggleSubscription, { params: { username: owner.user.username } })
  await subscriber.client.call(putReminder, { params })
  await subscriber.client.call(putNotificationSettings, { body: { muted: ['premiere'] } })
  await begin()
  await expect.poll(() => kinds(subscriber)).toEqual([['video', owner.user.username, videoId]])
})
