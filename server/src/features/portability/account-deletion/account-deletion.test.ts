import { getStoredData } from '@kinora/contract/portability/account-deletion.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

const users = '/api/v1/users'
let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const leave = (client: Awaited<ReturnType<typeof signUp>>['client'], password = testPassword) =>
  client.post(`${users}/deleteaccount`, { password })

test('deleting an account removes everything of it, in every session', async () => {
  const [leaving, staying] = [await signUp(site), await signUp(site)]
  const elsewhere = site.client()
  await elsewhere.post(`${users}/login`, { username: leaving.user.username, password: testPassword })
  const own = await addVideo(site, leaving.user._id)
  const other = await addVideo(site, staying.user._id)
  await leaving.client.post('/api/v1/comment/add', { videoId: other, content: 'Farewell' })
  await leaving.client.post(`/api/v1/likes/video/toggle/${other}`)
  await leaving.client.post(`/api/v1/sub/channel/${staying.user.username}`)

  expect(await leaving.client.call(getStoredData, {})).toMatchObject({
    videos: 1,
    comments: 1,
    likes: 1,
    subscriptions: 1,
    sessions: 2,
    addresses: 1,
  })
  const { status, body } = await leave(leaving.client)
  expect([status, body.message, body.data]).toEqual([200, 'Account deleted', null])
  expect(leaving.client.cookies.has('session')).toBe(false)
  expect((await elsewhere.get(`${users}/currentuser`)).status).toBe(401)
  const again = { username: leaving.user.username, password: testPassword }
  expect((await site.client().post(`${users}/login`, again)).status).toBe(401)
  expect((await staying.client.get(`/api/v1/video/${own}`)).status).toBe(404)
  expect((await staying.client.get(`/api/v1/comment/get/${other}`)).body.data).toEqual([])
  const [video] = (await staying.client.get(`/api/v1/video/${other}`)).body.data as object[]
  expect(video).toMatchObject({ totalLikes: 0, totalSubs: 0 })
  // the name is available again
  await signUp(site, { username: leaving.user.username, email: leaving.user.email })
})

test('deleting an account requires the right password', async () => {
  const { client } = await signUp(site)
  for (const [password, message] of [
    ['not the one', 'The current password is wrong'],
    ['', 'Password is required'],
  ]) {
    const { status, body } = await leave(client, password)
    expect([status, body.message]).toEqual([400, message])
    expect(body.errors).toMatchObject([{ path: 'password' }])
  }
  expect((await client.get(`${users}/currentuser`)).status).toBe(200)
})

test('the shared account cannot be deleted', async () => {
  const { client } = await signUp(site, { username: 'Test' })
  expect(await leave(client)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await client.get(`${users}/currentuser`)).status).toBe(200)
})

test('writes during the deletion of an account succeed before it or fail', async () => {
  const [leaving, staying] = [await signUp(site), await signUp(site)]
  const video = await addVideo(site, staying.user._id)
  const comment = () => leaving.client.post('/api/v1/comment/add', { videoId: video, content: 'One more' })
  const like = () => leaving.client.post(`/api/v1/likes/video/toggle/${video}`)
  const follow = () => leaving.client.post(`/api/v1/sub/channel/${staying.user.username}`)
  const goodbye = leave(leaving.client)
  const statuses = new Set<number>()
  const isOver = goodbye.then(() => true)
  const talk = () => Promise.all([comment(), like(), follow(), comment(), like(), follow()])
  for (let round = talk(); ; round = talk()) {
    for (const { status } of await round) statuses.add(status)
    if (await Promise.race([isOver, Promise.resolve(false)])) break
  }
  expect((await goodbye).status).toBe(200)
  // 503: a deadlock between the write and the deletion
  expect([200, 201, 401, 404, 503]).toEqual(expect.arrayContaining([...statuses]))
  expect((await staying.client.get(`/api/v1/comment/get/${video}`)).body.data).toEqual([])
  const [shown] = (await staying.client.get(`/api/v1/video/${video}`)).body.data as object[]
  expect(shown).toMatchObject({ totalLikes: 0, totalSubs: 0 })
})
