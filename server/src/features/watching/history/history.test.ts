import {
  clearHistory,
  getHistoryState,
  getPosition,
  getWatchHistory,
  listHistory,
  listPositions,
  putHistoryState,
  putPosition,
  removeFromHistory,
  updateHistory,
} from '@kinora/contract/watching/history.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextMillisecond } from '@kinora/platform/testing/next-millisecond.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
})
afterAll(() => site.close())

test('is ordered by last watched and contains each video once, in full', async () => {
  const { client } = await signUp(site)
  const ids = await Promise.all(Array.from({ length: 12 }, () => addVideo(site, owner.user._id)))
  for (const videoId of [...ids, ids[3] ?? '']) {
    await client.call(updateHistory, { params: { videoId } })
    await nextMillisecond()
  }
  const { watchHistory } = await client.call(getWatchHistory, { query: { limit: 200 } })
  expect(watchHistory.map((video) => video._id)).toEqual([
    ids[3],
    ...ids.filter((id) => id !== ids[3]).toReversed(),
  ])
  expect(watchHistory[0]?.videoOwner).toEqual({
    _id: owner.user._id,
    username: owner.user.username,
    fullname: owner.user.fullname,
    avatar: owner.user.avatar,
  })
})

test('returns the ten newest, and older ones page by page', async () => {
  const { client } = await signUp(site)
  const ids = await Promise.all(Array.from({ length: 23 }, () => addVideo(site, owner.user._id)))
  for (const videoId of ids) {
    await client.call(updateHistory, { params: { videoId } })
    await nextMillisecond()
  }
  const newestFirst = ids.toReversed()
  const historyAt = async (query: string) => {
    const { body } = await client.get(`/api/v1/users/watchhistory${query}`)
    const { watchHistory, nextCursor } = body.data as { watchHistory: { _id: string }[]; nextCursor: string }
    return { seen: watchHistory.map(({ _id }) => _id), nextCursor }
  }
  const first = await historyAt('')
  expect(first.seen).toEqual(newestFirst.slice(0, 10))
  const second = await historyAt(`?cursor=${first.nextCursor}`)
  expect(second.seen).toEqual(newestFirst.slice(10, 20))
  const third = await historyAt(`?cursor=${second.nextCursor}&limit=200`)
  expect(third).toEqual({ seen: newestFirst.slice(20), nextCursor: null })
  expect(await historyAt('?limit=50')).toEqual({ seen: newestFirst, nextCursor: null })
  for (const query of ['?limit=0', '?limit=ten', '?cursor=nonsense'])
    expect([query, (await client.get(`/api/v1/users/watchhistory${query}`)).status]).toEqual([query, 400])
})

test('is private', async () => {
  const videoId = await addVideo(site, owner.user._id)
  await owner.client.call(updateHistory, { params: { videoId } })
  const { client } = await signUp(site)
  expect(await client.call(getWatchHistory, {})).toEqual({ watchHistory: [], nextCursor: null })
})

test('watching in ten tabs at once adds one entry', async () => {
  const { client } = await signUp(site)
  const videoId = await addVideo(site, owner.user._id)
  await Promise.all(Array.from({ length: 10 }, () => client.call(updateHistory, { params: { videoId } })))
  expect((await client.call(getWatchHistory, {})).watchHistory).toHaveLength(1)
})

test('stores a position for each video without adding an entry', async () => {
  const { client } = await signUp(site)
  const params = { videoId: await addVideo(site, owner.user._id) }
  expect(await client.call(getPosition, { params })).toEqual({ positionSeconds: 0 })
  await client.call(putPosition, { params, body: { positionSeconds: 12.5 } })
  expect(await client.call(getPosition, { params })).toEqual({ positionSeconds: 12.5 })
  expect((await client.call(getWatchHistory, {})).watchHistory).toEqual([])
  await client.call(updateHistory, { params })
  expect(await client.call(getPosition, { params })).toEqual({ positionSeconds: 12.5 })
  expect(await owner.client.call(getPosition, { params })).toEqual({ positionSeconds: 0 })
  const form = new URLSearchParams({ positionSeconds: '7.25' })
  expect((await client.put(`/api/v1/users/position/${params.videoId}`, form)).status).toBe(200)
  expect(await client.call(getPosition, { params })).toEqual({ positionSeconds: 7.25 })
  for (const positionSeconds of [-1, 'soon', '', '-1', true, 1e9, null]) {
    const { status } = await client.put(`/api/v1/users/position/${params.videoId}`, { positionSeconds })
    expect(status).toBe(400)
  }
})

test('returns 401 when signed out, before 404 for an unknown video', async () => {
  for (const [method, path] of [
    ['PATCH', '/api/v1/users/updatehistory/nothing'],
    ['GET', '/api/v1/users/position/nothing'],
    ['PUT', '/api/v1/users/position/nothing'],
  ] as const) {
    const body = method === 'PUT' ? { positionSeconds: 1 } : undefined
    expect((await site.client().send(method, path, body)).status).toBe(401)
    expect((await owner.client.send(method, path, body)).status).toBe(404)
  }
  expect((await site.client().get('/api/v1/users/watchhistory')).status).toBe(401)
})

test('the complete history is paged, searched by words and filtered by unfinished videos', async () => {
  const { client } = await signUp(site)
  const titles = ['Salt flats at dawn', '100% salt', 'Harbour']
  const ids: string[] = []
  for (const title of titles) {
    const videoId = await addVideo(site, owner.user._id, { title })
    ids.push(videoId)
    await client.call(updateHistory, { params: { videoId } })
    await nextMillisecond()
  }
  const [flats = '', percent = '', harbour = ''] = ids
  await client.call(putPosition, { params: { videoId: flats }, body: { positionSeconds: 12 } })
  const find = async (query: object) =>
    (await client.call(listHistory, { query })).items.map(({ video }) => video._id)
  expect(await find({})).toEqual([harbour, percent, flats])
  expect(await find({ text: 'SALT' })).toEqual([percent, flats])
  expect(await find({ text: 'dawn salt' })).toEqual([flats])
  expect(await find({ text: '%' })).toEqual([percent])
  expect(await find({ text: owner.user.username, limit: 2 })).toEqual([harbour, percent])
  expect(await find({ unfinished: 'true' })).toEqual([flats])
  const first = await client.call(listHistory, { query: { limit: 2 } })
  const second = await client.call(listHistory, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
  expect(second.items).toMatchObject([{ positionSeconds: 12, video: { _id: flats } }])
  expect(await client.call(listPositions, {})).toEqual([
    { videoId: flats, positionSeconds: 12, isFinished: false },
  ])
})

test('a video played to its end is finished on every device, also while it is watched again', async () => {
  const { client } = await signUp(site)
  const videoId = await addVideo(site, owner.user._id)
  const put = (body: { positionSeconds: number; isFinished?: boolean }) =>
    client.call(putPosition, { params: { videoId }, body })
  const positions = (finished?: 'true') => client.call(listPositions, { query: finished ? { finished } : {} })
  await client.call(updateHistory, { params: { videoId } })
  await put({ positionSeconds: 30 })
  await put({ positionSeconds: 598, isFinished: true })
  expect(await positions('true')).toEqual([{ videoId, positionSeconds: 0, isFinished: true }])
  expect(await positions()).toEqual([])
  const again = [{ videoId, positionSeconds: 20, isFinished: true }]
  await put({ positionSeconds: 20 })
  expect(await positions('true')).toEqual(again)
  expect(await positions()).toEqual(again)
  const { items } = await client.call(listHistory, {})
  expect(items).toMatchObject([{ positionSeconds: 20, isFinished: true }])
  const unfinished = await client.call(listHistory, { query: { unfinished: 'true' } })
  expect(unfinished.items).toMatchObject([{ positionSeconds: 20 }])
  await client.call(removeFromHistory, { params: { videoId } })
  expect(await positions('true')).toEqual([])
})

test('removes one video, even one that became private, or everything, including positions', async () => {
  const { client } = await signUp(site)
  const [one, other] = [await addVideo(site, owner.user._id), await addVideo(site, owner.user._id)]
  for (const videoId of [one, other]) {
    await client.call(updateHistory, { params: { videoId } })
    await client.call(putPosition, { params: { videoId }, body: { positionSeconds: 9 } })
  }
  await site.db.updateTable('videos').set({ visibility: 'private' }).where('id', '=', one).execute()
  await client.call(removeFromHistory, { params: { videoId: one } })
  await site.db.updateTable('videos').set({ visibility: 'public' }).where('id', '=', one).execute()
  expect((await client.call(getWatchHistory, {})).watchHistory.map(({ _id }) => _id)).toEqual([other])
  expect(await client.call(getPosition, { params: { videoId: one } })).toEqual({ positionSeconds: 0 })
  await client.call(clearHistory, {})
  expect((await client.call(listHistory, {})).items).toEqual([])
  expect(await client.call(listPositions, {})).toEqual([])
})

test('a paused history records neither videos nor positions', async () => {
  const { client } = await signUp(site)
  const params = { videoId: await addVideo(site, owner.user._id) }
  expect(await client.call(getHistoryState, {})).toEqual({ isPaused: false })
  for (const isPaused of [true, true]) await client.call(putHistoryState, { body: { isPaused } })
  await client.call(updateHistory, { params })
  await client.call(putPosition, { params, body: { positionSeconds: 9 } })
  expect((await client.call(listHistory, {})).items).toEqual([])
  expect(await client.call(getPosition, { params })).toEqual({ positionSeconds: 0 })
  await client.call(putHistoryState, { body: { isPaused: false } })
  await client.call(updateHistory, { params })
  expect((await client.call(listHistory, {})).items).toHaveLength(1)
})
