import {
  announceStream,
  cancelAnnouncedStream,
  changeAnnouncedStream,
  listAnnouncedStreams,
  replaceAnnouncedPicture,
} from '@kinora/contract/live/announcements.ts'
import { getChat, listChatMessages, sendChatMessage } from '@kinora/contract/live/chat.ts'
import { createLiveKey, getLiveChannel, putLiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { getPremiere, putReminder } from '@kinora/contract/live/premieres.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { createReport } from '@kinora/contract/operations/reports.ts'
import { pictureIdOfUrl } from '@kinora/contract/pictures.ts'
import { listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { startTestIngest, type TestIngest } from '../../../testing/fixtures/test-ingest.ts'
import { drawPicture, signUp } from '../../../testing/fixtures/test-users.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { notifySubscribers } from '../../messages/notifications/jobs.ts'
import { takeDown } from '../../videos/videos/actions/hide-video.ts'
import { endMissedAnnouncements } from './actions.ts'
import { beginAnnounced, countAnnounced, findDue } from '../live-streams/queries/announcements.ts'

let site: TestApp
let ingest: TestIngest

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { LIVE: 'true', PREPARE_POLICY: 'none' } })
  ingest = await startTestIngest(site)
})

afterEach(() => ingest.killEncoders())

afterAll(async () => {
  await ingest.stop()
  await site.close()
})

const inMinutes = (minutes: number) => new Date(site.clock.now().getTime() + minutes * 60_000).toISOString()

/** A channel that may stream, and its announcement of a stream in an hour. */
async function announce(changes: { visibility?: 'public' | 'unlisted' | 'members'; startsAt?: string } = {}) {
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const body = {
    title: 'Salt flats',
    description: 'At dawn',
    visibility: 'public',
    keepsRecording: true,
    startsAt: inMinutes(60),
    ...changes,
  } as const
  const announced = await client.call(announceStream, { body })
  const { videoId } = announced
  return { client, user, announced, body, videoId, params: { videoId }, own: { id: videoId } }
}

/** Starts the encoder of a channel. */
async function encode(client: TestClient, options: { speed?: number } = {}): Promise<void> {
  const { key } = await client.call(createLiveKey, {})
  ingest.encode(key ?? '', options)
}

async function untilLive(client: TestClient): Promise<string> {
  const stream = async () => (await client.call(getLiveChannel, {})).stream
  await expect.poll(async () => (await stream())?.isConnected).toBe(true)
  return (await stream())?.videoId ?? ''
}

const statusOf = async (client: TestClient, videoId: string) =>
  (await client.get(`/api/v1/premieres/${videoId}`)).status

const kindsOf = async (client: TestClient) =>
  (await client.call(listNotifications, { query: {} })).items.map(({ kind, video }) => [kind, video?._id])

test('announces a stream to everybody with a clock and a chat, and nobody sees a video', async () => {
  const { client, announced, videoId, params, body } = await announce()
  expect(announced).toMatchObject({ ...body, hasExpired: false, reminders: 0 })
  const [visitor, member] = [site.client(), await signUp(site)]
  expect(await visitor.call(getPremiere, { params })).toMatchObject({
    title: 'Salt flats',
    startsAt: body.startsAt,
    isStream: true,
    hasChat: true,
  })
  for (const each of [visitor, member.client, client])
    expect((await each.get(`/api/v1/video/${videoId}`)).status).toBe(404)
  expect((await visitor.get('/api/v1/video/all')).text).not.toContain(videoId)
  expect((await client.call(listOwnVideos, { query: {} })).videos).toEqual([])
  expect((await client.get(`/api/v1/studio/videos/${videoId}`)).status).toBe(404)
  expect((await visitor.get(announced.thumbnail)).status).toBe(200)
  const page = await visitor.get(`/video/${videoId}`)
  expect(page.text).toContain('<title>Salt flats')

  await member.client.call(sendChatMessage, { params, body: { text: 'Is it cold there?' } })
  const { items } = await visitor.call(listChatMessages, { params, query: {} })
  expect(items.map(({ text }) => text)).toEqual(['Is it cold there?'])
  expect(items[0]?.position).toBeLessThan(-3000)
})

test('shows an announcement to those who may see the stream', async () => {
  const [members, unlisted] = [
    await announce({ visibility: 'members' }),
    await announce({ visibility: 'unlisted' }),
  ]
  const [visitor, { client: member }] = [site.client(), await signUp(site)]
  expect(await statusOf(visitor, members.videoId)).toBe(404)
  expect((await visitor.get(`/api/v1/chat/${members.videoId}`)).status).toBe(404)
  expect((await visitor.get(members.announced.thumbnail)).status).toBe(404)
  expect(await statusOf(member, members.videoId)).toBe(200)
  expect(await statusOf(visitor, unlisted.videoId)).toBe(200)
  expect((await visitor.get(`/video/${unlisted.videoId}`)).text).toContain('noindex')
})

test('an encoder begins the announced stream at its address, and those who wait are notified', async () => {
  const { client, user, announced, videoId, params } = await announce({ startsAt: inMinutes(10) })
  const [waiting, subscriber, visitor] = [await signUp(site), await signUp(site), site.client()]
  await waiting.client.call(putReminder, { params })
  await waiting.client.call(sendChatMessage, { params, body: { text: 'Soon?' } })
  await subscriber.client.call(toggleSubscription, { params: { username: user.username } })
  site.clock.advance(600_000)
  expect((await client.call(listAnnouncedStreams, {}))[0]?.reminders).toBe(1)

  await encode(client)
  expect(await untilLive(client)).toBe(videoId)
  const [video] = await visitor.call(getVideo, { params: { id: videoId } })
  expect(video).toMatchObject({
    title: 'Salt flats',
    description: 'At dawn',
    isLive: true,
    visibility: 'public',
  })
  expect(video?.premiereAt).toBeUndefined()
  // the first frame replaces what the site has drawn
  expect(video?.thumbnail).not.toBe(announced.thumbnail)
  expect((await visitor.get(`/media/live/${videoId}/source/index.m3u8`)).status).toBe(200)
  expect(await statusOf(visitor, videoId)).toBe(404)
  expect(await client.call(listAnnouncedStreams, {})).toEqual([])
  expect(await visitor.call(getChat, { params })).toMatchObject({ isOpen: true })
  const { items } = await visitor.call(listChatMessages, { params, query: {} })
  // its position was before the announced time, and is before the beginning now
  expect(items[0]?.position).toBeLessThan(0)
  await expect.poll(() => kindsOf(waiting.client)).toEqual([['premiere', videoId]])
  await expect.poll(() => kindsOf(subscriber.client)).toEqual([['video', videoId]])
  const [notification] = (await waiting.client.call(listNotifications, { query: {} })).items
  expect(notification?.video?.isStream).toBe(true)
})

test('reminds members of a stream that visitors do not see', async () => {
  const { client, videoId, params } = await announce({ visibility: 'members', startsAt: inMinutes(1) })
  site.clock.advance(60_000)
  const waiting = await signUp(site)
  await waiting.client.call(putReminder, { params })
  await encode(client)
  expect(await untilLive(client)).toBe(videoId)
  await expect.poll(() => kindsOf(waiting.client)).toEqual([['premiere', videoId]])
  expect((await site.client().get(`/api/v1/video/${videoId}`)).status).toBe(404)
})

test('a stream before its time notifies nobody until it has lasted', async () => {
  const { client, user, videoId, params } = await announce({ startsAt: inMinutes(10) })
  const [waiting, subscriber] = [await signUp(site), await signUp(site)]
  await waiting.client.call(putReminder, { params })
  await subscriber.client.call(toggleSubscription, { params: { username: user.username } })
  const notifying = async () => {
    const job = (await site.context.jobs.summarize()).find(({ name }) => name === notifySubscribers.name)
    return job ? job.waiting + job.later + job.running : 0
  }
  await expect.poll(notifying).toBe(0)
  await encode(client, { speed: 8 })
  expect(await untilLive(client)).toBe(videoId)
  await expect.poll(notifying).toBe(0)
  const seconds = async () => (await client.call(getLiveChannel, {})).stream?.durationSeconds ?? 0
  const [before, early] = [await kindsOf(waiting.client), await seconds()]
  expect(early < 30 ? before : []).toEqual([])
  await expect.poll(() => kindsOf(waiting.client), { timeout: 30_000 }).toEqual([['premiere', videoId]])
  expect(await seconds()).toBeGreaterThan(25)
  await expect.poll(() => kindsOf(subscriber.client)).toEqual([['video', videoId]])
})

test('does not begin with details that its channel changed meanwhile', async () => {
  const { client, user, videoId, own, body } = await announce({ startsAt: inMinutes(1) })
  const { db } = site
  const due = await findDue(db, user._id, site.clock.now())
  if (!due) throw new Error('nothing is due')
  await client.call(changeAnnouncedStream, { params: own, body: { ...body, visibility: 'members' } })
  const begin = (announced: typeof due) =>
    db
      .transaction()
      .execute((transaction) => beginAnnounced(transaction, { id: videoId } as never, announced))
  expect(await begin(due)).toBeUndefined()
  expect((await client.call(listAnnouncedStreams, {}))[0]).toMatchObject({ visibility: 'members' })
})

test('a stream long before the time is another one, and keeps its own details', async () => {
  const { client, videoId } = await announce({ startsAt: inMinutes(20) })
  const body = { title: 'Sound check', visibility: 'private', keepsRecording: true } as const
  await client.call(putLiveTemplate, { body })
  await encode(client)
  const other = await untilLive(client)
  expect(other).not.toBe(videoId)
  expect((await client.call(getVideo, { params: { id: other } }))[0]?.title).toBe('Sound check')
  expect(await statusOf(site.client(), videoId)).toBe(200)
})

test('keeps the picture that the channel has chosen', async () => {
  const { client, videoId, own } = await announce({ startsAt: inMinutes(1) })
  const form = new FormData()
  form.set('thumbnail', new Blob([await drawPicture()]), 'dawn.png')
  const { thumbnail } = await client.call(replaceAnnouncedPicture, { params: own, body: form })
  await encode(client)
  await untilLive(client)
  const [video] = await site.client().call(getVideo, { params: { id: videoId } })
  expect(pictureIdOfUrl(video?.thumbnail ?? '')).toBe(pictureIdOfUrl(thumbnail))
  expect((await site.client().get(thumbnail)).status).toBe(200)
})

test('moves with its time, is cancelled with its chat, and belongs to its channel alone', async () => {
  const { client, videoId, body, own, params } = await announce()
  const stranger = await announce()
  const later = { ...body, title: 'Salt flats at night', startsAt: inMinutes(120) }
  await expect(stranger.client.call(changeAnnouncedStream, { params: own, body: later })).rejects.toThrow(
    'not announced',
  )
  expect(await client.call(changeAnnouncedStream, { params: own, body: later })).toMatchObject(later)
  expect(await site.client().call(getPremiere, { params })).toMatchObject({
    title: later.title,
    startsAt: later.startsAt,
  })
  await expect(stranger.client.call(cancelAnnouncedStream, { params: own })).rejects.toThrow('not announced')
  await client.call(cancelAnnouncedStream, { params: own })
  expect(await statusOf(site.client(), videoId)).toBe(404)
  expect(await client.call(listAnnouncedStreams, {})).toEqual([])
})

test('rejects times that have passed or are far away, and more than a channel may announce', async () => {
  const { client, body } = await announce()
  await expect(client.call(announceStream, { body: { ...body, startsAt: inMinutes(-1) } })).rejects.toThrow(
    'in the future',
  )
  await expect(
    client.call(announceStream, { body: { ...body, startsAt: inMinutes(400 * 24 * 60) } }),
  ).rejects.toThrow('within a year')
  for (let more = 1; more < 20; more += 1) await client.call(announceStream, { body })
  await expect(client.call(announceStream, { body })).rejects.toThrow('at most 20')
  const [first] = await client.call(listAnnouncedStreams, {})
  await client.call(cancelAnnouncedStream, { params: { id: first?.videoId ?? '' } })
  const attempts = await Promise.allSettled([1, 2, 3].map(async () => client.call(announceStream, { body })))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('is not announced once it was taken down, does not begin, and can only be cancelled', async () => {
  const { client, user, videoId, own, body } = await announce({ startsAt: inMinutes(1) })
  await takeDown(site.context, videoId, 'A reason')
  expect(await statusOf(site.client(), videoId)).toBe(404)
  expect(await client.call(listAnnouncedStreams, {})).toMatchObject([{ videoId, takedownReason: 'A reason' }])
  expect(await countAnnounced(site.db, user._id)).toBe(0)
  await expect(client.call(changeAnnouncedStream, { params: own, body })).rejects.toThrow('not announced')
  await encode(client)
  expect(await untilLive(client)).not.toBe(videoId)
  site.clock.advance(4 * 3600_000)
  expect(await endMissedAnnouncements(site.context)).not.toContain(videoId)
  await client.call(cancelAnnouncedStream, { params: own })
  expect(await client.call(listAnnouncedStreams, {})).toEqual([])
})

test('is reported like a video by members who see it', async () => {
  const { client, videoId } = await announce({ visibility: 'members' })
  const { client: member } = await signUp(site)
  const body = { kind: 'video', subjectId: videoId, reason: 'spam', text: '' } as const
  expect(await member.call(createReport, { body })).toEqual({ isNew: true })
  await expect(client.call(createReport, { body })).rejects.toMatchObject({ status: 400 })
})

test('is changed only while its channel may stream, and cancelled at any time', async () => {
  const { client, user, body, own } = await announce()
  await updateRole(site.db, user._id, 'member')
  await expect(client.call(changeAnnouncedStream, { params: own, body })).rejects.toMatchObject({
    status: 403,
  })
  const form = new FormData()
  form.set('thumbnail', new Blob([await drawPicture()]), 'dawn.png')
  await expect(client.call(replaceAnnouncedPicture, { params: own, body: form })).rejects.toMatchObject({
    status: 403,
  })
  await client.call(cancelAnnouncedStream, { params: own })
})

test('an announcement without a stream expires after three hours, and can be given another time', async () => {
  const { client, user, announced, videoId, own, body, params } = await announce({ startsAt: inMinutes(1) })
  site.clock.advance(2.9 * 3600_000)
  expect((await findDue(site.db, user._id, site.clock.now()))?.videoId).toBe(videoId)
  expect(await endMissedAnnouncements(site.context)).not.toContain(videoId)
  expect(await statusOf(site.client(), videoId)).toBe(200)
  site.clock.advance(0.2 * 3600_000)
  expect(await endMissedAnnouncements(site.context)).toContain(videoId)
  expect(await statusOf(site.client(), videoId)).toBe(404)
  expect(await kindsOf(client)).toEqual([['live_expired', videoId]])
  expect((await client.get(announced.thumbnail)).status).toBe(200)
  expect((await site.client().get(announced.thumbnail)).status).toBe(404)
  expect((await client.call(listAnnouncedStreams, {}))[0]?.hasExpired).toBe(true)
  expect(await findDue(site.db, user._id, site.clock.now())).toBeUndefined()
  await expect(client.call(changeAnnouncedStream, { params: own, body })).rejects.toThrow('in the future')
  await client.call(changeAnnouncedStream, { params: own, body: { ...body, startsAt: inMinutes(30) } })
  expect(await site.client().call(getPremiere, { params })).toMatchObject({ isStream: true })
})
