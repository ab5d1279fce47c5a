import { addComment, listComments } from '@kinora/contract/conversation/comments.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import {
  acceptHandover,
  createHandover,
  deleteHandover,
  listHandovers,
} from '@kinora/contract/videos/handovers.ts'
import { listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { searchVideos } from '@kinora/contract/watching/search.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addManyVideos, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { findTrackRecord, hasPublishedVideo } from '../../accounts/new-accounts/queries.ts'
import { suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { findModerationFacts } from '../../conversation/comments/queries/moderation.ts'
import { moveGiven } from './jobs.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

interface Person {
  client: TestClient
  id: string
  username: string
}

async function person(fullname?: string): Promise<Person> {
  const { client, user } = await signUp(site, fullname === undefined ? {} : { fullname })
  return { client, id: user._id, username: user.username }
}

async function offer(giver: Person, receiver: Person, videoId: string | null): Promise<string> {
  const offers = await giver.client.call(createHandover, { body: { username: receiver.username, videoId } })
  return offers.find(({ video }) => (video?._id ?? null) === videoId)?._id ?? ''
}

const accept = ({ client }: Person, handoverId: string) =>
  client.call(acceptHandover, { params: { handoverId } })

const reasonOf = async (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { reason?: string }) => error.reason,
  )

const ownerOf = async ({ client }: Person, id: string) =>
  (await client.call(getVideo, { params: { id } }))[0]?.videoOwner.username

test('a video is given with its address, views and comments, once the receiver accepts', async () => {
  const [ada, ben] = [await person('Ada Wharf'), await person('Ben Quay')]
  const id = await addVideo(site, ada.id, { title: 'Kelp', views: 41 })
  await ada.client.call(addComment, { body: { videoId: id, content: 'First' } })
  await site.db.insertInto('channelProfiles').values({ userId: ada.id, pinnedVideoId: id }).execute()
  const handoverId = await offer(ada, ben, id)
  expect((await ben.client.call(listNotifications, {})).items).toMatchObject([
    { kind: 'handover', actor: { username: ada.username } },
  ])
  expect(await ben.client.call(listHandovers, {})).toMatchObject([
    { giver: { username: ada.username }, video: { _id: id, title: 'Kelp' }, videos: 1, sizeBytes: 1000 },
  ])
  // only the receiver accepts
  expect(await reasonOf(accept(ada, handoverId))).toBe('handover_not_found')
  expect(await ownerOf(ben, id)).toBe(ada.username)
  expect(await accept(ben, handoverId)).toEqual([])
  const [video] = await ben.client.call(getVideo, { params: { id } })
  expect(video).toMatchObject({ title: 'Kelp', views: 41, videoOwner: { username: ben.username } })
  expect((await ben.client.call(listComments, { params: { videoId: id } })).items).toHaveLength(1)
  expect((await ada.client.call(listOwnVideos, {})).total).toBe(0)
  expect((await ben.client.call(listOwnVideos, {})).total).toBe(1)
  // found by the name of the new owner, and not pinned any more
  const found = async (term: string) =>
    (await ben.client.call(searchVideos, { params: { term } })).items.map(({ _id }) => _id)
  expect([await found('Ben Quay Kelp'), await found('Wharf')]).toEqual([[id], []])
  const profile = site.db.selectFrom('channelProfiles').select('pinnedVideoId').where('userId', '=', ada.id)
  expect(await profile.executeTakeFirst()).toEqual({ pinnedVideoId: null })
  expect(await reasonOf(accept(ben, handoverId))).toBe('handover_not_found')
  expect((await ada.client.delete(`/api/v1/video/${id}`)).status).toBe(403)
})

test('a private video is seen by its new owner only', async () => {
  const [ada, ben] = [await person(), await person()]
  const id = await addVideo(site, ada.id, { visibility: 'private' })
  const handoverId = await offer(ada, ben, id)
  expect((await ben.client.get(`/api/v1/video/${id}`)).status).toBe(404)
  await accept(ben, handoverId)
  expect((await ben.client.get(`/api/v1/video/${id}`)).status).toBe(200)
  expect((await ada.client.get(`/api/v1/video/${id}`)).status).toBe(404)
})

test('an offer is declined, withdrawn or replaced, and then gives nothing', async () => {
  const [ada, ben, cleo] = [await person(), await person(), await person()]
  const id = await addVideo(site, ada.id)
  const end = ({ client }: Person, handoverId: string) =>
    client.call(deleteHandover, { params: { handoverId } })
  const first = await offer(ada, ben, id)
  expect(await reasonOf(end(cleo, first))).toBe('handover_not_found')
  expect(await end(ben, first)).toEqual([])
  const second = await offer(ada, ben, id)
  const third = await offer(ada, cleo, id)
  expect(await reasonOf(accept(ben, second))).toBe('handover_not_found')
  expect(await end(ada, third)).toEqual([])
  expect(await reasonOf(accept(cleo, third))).toBe('handover_not_found')
  expect(await ownerOf(ada, id)).toBe(ada.username)
  // neither those of others, nor to oneself, nor one that is taken down
  expect(await reasonOf(offer(ben, cleo, id))).toBe('video_not_yours')
  expect(await reasonOf(offer(ada, ada, id))).toBe('handover_to_oneself')
  const hidden = await addVideo(site, ada.id, { takedownReason: 'Spam' })
  expect(['handover_taken_down', 'video_not_found']).toContain(await reasonOf(offer(ada, ben, hidden)))
})

test('all videos are given, but for those that are taken down', async () => {
  const [ada, ben] = [await person(), await person()]
  const given = [await addVideo(site, ada.id), await addVideo(site, ada.id, { visibility: 'unlisted' })]
  const hidden = await addVideo(site, ada.id, { takedownReason: 'Spam' })
  const one = await offer(ada, ben, given[0] ?? '')
  const all = await offer(ada, ben, null)
  const offers = await ben.client.call(listHandovers, {})
  expect(offers.find(({ _id }) => _id === all)).toMatchObject({
    video: null,
    videos: 2,
    sizeBytes: 2000,
    titles: given.toReversed().map((id) => `Video ${id}`),
  })
  await accept(ben, all)
  const owned = async ({ client }: Person) =>
    (await client.call(listOwnVideos, {})).videos.map(({ _id }) => _id)
  expect(new Set(await owned(ben))).toEqual(new Set(given))
  expect(await owned(ada)).toEqual([hidden])
  expect(await reasonOf(accept(ben, one))).toBe('handover_not_found')
})

test('a live video stays with its channel', async () => {
  const [ada, ben] = [await person(), await person()]
  const live = await addVideo(site, ada.id, { isLive: true })
  const other = await addVideo(site, ada.id)
  expect(await reasonOf(offer(ada, ben, live))).toBe('video_live')
  const all = await offer(ada, ben, null)
  expect(await ben.client.call(listHandovers, {})).toMatchObject([{ videos: 1, titles: [`Video ${other}`] }])
  await accept(ben, all)
  expect([await ownerOf(ben, other), await ownerOf(ben, live)]).toEqual([ben.username, ada.username])
})

test('nothing is given above a quota of the receiver, and the offer stays', async () => {
  const [ada, ben] = [await person(), await person()]
  await site.db.updateTable('users').set({ quotaBytes: 1500 }).where('id', '=', ben.id).execute()
  const ids = [await addVideo(site, ada.id), await addVideo(site, ada.id)]
  const all = await offer(ada, ben, null)
  expect(await reasonOf(accept(ben, all))).toBe('quota_bytes')
  expect(await ownerOf(ada, ids[0] ?? '')).toBe(ada.username)
  // two at the same time, of which one fits
  const offers = [await offer(ada, ben, ids[0] ?? ''), await offer(ada, ben, ids[1] ?? '')]
  const results = await Promise.all(offers.map((each) => reasonOf(accept(ben, each))))
  expect(new Set(results)).toEqual(new Set(['done', 'quota_bytes']))
})

test('nothing is taken over from a suspended account', async () => {
  const [ada, ben] = [await person(), await person()]
  const handoverId = await offer(ada, ben, await addVideo(site, ada.id))
  await suspendUser(site.context, ada.id)
  expect(await reasonOf(accept(ben, handoverId))).toBe('handover_not_found')
})

test('an offer ends after 14 days', async () => {
  const [ada, ben] = [await person(), await person()]
  const handoverId = await offer(ada, ben, await addVideo(site, ada.id))
  site.clock.advance(14 * dayMs)
  expect(await ben.client.call(listHandovers, {})).toEqual([])
  expect(await reasonOf(accept(ben, handoverId))).toBe('handover_not_found')
})

const give = async (giver: Person, receiver: Person, videoId: string | null) =>
  accept(receiver, await offer(giver, receiver, videoId))

test('a given video counts for the account that published it, and for nobody else', async () => {
  const [ada, ben, cleo] = [await person(), await person(), await person()]
  const before = new Date(site.clock.now().getTime() - dayMs)
  const id = await addVideo(site, ada.id, { createdAt: new Date(before.getTime() - 1000) })
  const trusts = async ({ id: userId }: Person) => {
    const record = await findTrackRecord(site.db, userId, { shownBefore: before, maxContributions: 9 })
    return [await hasPublishedVideo(site.db, userId), record?.contributions]
  }
  const [proven, unproven] = [
    [true, 1],
    [false, 0],
  ]
  expect([await trusts(ada), await trusts(ben)]).toEqual([proven, unproven])
  await give(ada, ben, id)
  expect([await trusts(ada), await trusts(ben)]).toEqual([proven, unproven])
  await give(ben, cleo, id)
  expect([await trusts(ada), await trusts(ben), await trusts(cleo)]).toEqual([proven, unproven, unproven])
  await give(cleo, ada, id)
  expect([await trusts(ada), await trusts(cleo)]).toEqual([proven, unproven])
  // a private one proves nothing, whatever becomes of it with its new owner
  const hidden = await addVideo(site, ben.id, { visibility: 'private' })
  await give(ben, ada, hidden)
  await site.db.updateTable('videos').set({ visibility: 'public' }).where('id', '=', hidden).execute()
  expect(await trusts(ben)).toEqual(unproven)
  // nor does one that moderators took down
  await site.db.updateTable('videos').set({ takedownReason: 'Spam' }).where('id', '=', id).execute()
  expect(await trusts(ada)).toEqual(unproven)
})

test('a comment on an own video proves nothing after the video was given away', async () => {
  const [ada, ben, cleo] = [await person(), await person(), await person()]
  const id = await addVideo(site, ada.id)
  await ada.client.call(addComment, { body: { videoId: id, content: 'First' } })
  await give(ada, ben, id)
  const elsewhere = { videoId: await addVideo(site, cleo.id) }
  const needs = { published: true, publishedLink: false }
  expect(await findModerationFacts(site.db, ada.id, elsewhere, needs)).toMatchObject({ hasPublished: false })
})

const recordsOf = (videoId: string) =>
  site.db
    .selectFrom('givenVideos')
    .select(['receiverId', 'countsForGiver', 'isMoving'])
    .where('videoId', '=', videoId)
    .execute()

test('of a large channel, a job moves what the request did not, and not what was taken down meanwhile', async () => {
  const [ada, ben] = [await person(), await person()]
  await addManyVideos(site, ada.id, 1203)
  await give(ada, ben, null)
  const owned = async ({ client }: Person) => (await client.call(listOwnVideos, {})).total
  expect([await owned(ada), await owned(ben)]).toEqual([703, 500])
  const rest = site.db.selectFrom('videos').select('id').where('ownerId', '=', ada.id)
  const { id } = await rest.orderBy('id').limit(1).executeTakeFirstOrThrow()
  await site.db.updateTable('videos').set({ takedownReason: 'Spam' }).where('id', '=', id).execute()
  const accounts = { giverId: ada.id, receiverId: ben.id }
  await moveGiven.handle(accounts, site.context, new AbortController().signal)
  expect([(await rest.execute()).map((row) => row.id), await owned(ben)]).toEqual([[id], 1202])
  // a video that is reinstated later stays, too
  await site.db.updateTable('videos').set({ takedownReason: null }).where('id', '=', id).execute()
  await moveGiven.handle(accounts, site.context, new AbortController().signal)
  expect(await owned(ada)).toBe(1)
  // and counts for the giver as one that was never given
  expect(await recordsOf(id)).toEqual([])
})

test('the rest of a large channel stays with a giver who is suspended', async () => {
  const [ada, ben] = [await person(), await person()]
  await addManyVideos(site, ada.id, 501)
  await give(ada, ben, null)
  await suspendUser(site.context, ada.id)
  await moveGiven.handle({ giverId: ada.id, receiverId: ben.id }, site.context, new AbortController().signal)
  expect((await ben.client.call(listOwnVideos, {})).total).toBe(500)
  const { id } = await site.db
    .selectFrom('videos')
    .select('id')
    .where('ownerId', '=', ada.id)
    .executeTakeFirstOrThrow()
  expect(await recordsOf(id)).toEqual([])
})

test('a video that waits for its move is given to somebody else, and counts for its giver once', async () => {
  const [ada, ben, cleo] = [await person(), await person(), await person()]
  await addManyVideos(site, ada.id, 501)
  const own = site.db.selectFrom('videos').select('id').where('ownerId', '=', ada.id)
  const { id } = await own.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  await site.db.updateTable('videos').set({ visibility: 'public' }).where('id', '=', id).execute()
  await give(ada, ben, null)
  await give(ada, cleo, id)
  await moveGiven.handle({ giverId: ada.id, receiverId: ben.id }, site.context, new AbortController().signal)
  expect(await ownerOf(ben, id)).toBe(cleo.username)
  expect(await recordsOf(id)).toEqual([{ receiverId: cleo.id, countsForGiver: true, isMoving: false }])
})

test('an offer is accepted while a video of it is edited, and the edit holds up nothing else', async () => {
  const [ada, ben] = [await person(), await person()]
  await addManyVideos(site, ada.id, 501)
  const rest = site.db.selectFrom('videos').select('id').where('ownerId', '=', ada.id)
  const { id } = await rest.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  const handoverId = await offer(ada, ben, null)
  await site.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('videos').set({ title: 'Edited' }).where('id', '=', id).execute()
    await accept(ben, handoverId)
  })
  expect(await rest.execute()).toEqual([{ id }])
})

test('the move of a large channel is tried until it succeeds', async () => {
  const accounts = { giverId: 'a', receiverId: 'b' }
  expect(await moveGiven.giveUp?.(accounts, site.context, new Error('of the database'))).toBe('retry')
})
