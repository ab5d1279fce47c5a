import { addComment } from '@kinora/contract/conversation/comments.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { registrationForm, signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    settings: {
      WRITES_PER_MINUTE: '12',
      DEMO_ACCOUNT: 'false',
    },
    constants: {
      emailChangesPerHour: 3,
      accountExportsPerDay: 3,
    },
  })
  site.clock.set(new Date('2026-05-01T10:00:00Z'))
})
afterAll(() => site.close())

const times = async (count: number, act: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) statuses.push((await act()).status)
  return [
    statuses.filter((status) => status < 300).length,
    statuses.filter((status) => status === 429).length,
  ]
}

test('limits all writes of one account per minute together', async () => {
  const owner = await signUp(site)
  const video = await addVideo(site, owner.user._id)
  const { client } = await signUp(site)
  const { _id: commentId } = await owner.client.call(addComment, { body: { videoId: video, content: 'Own' } })
  const comment = () => client.post('/api/v1/comment/add', { videoId: video, content: 'Buy now' })
  const createPlaylist = () => client.post('/api/v1/playlists', { title: 'Light' })
  const report = () =>
    client.post('/api/v1/reports', { kind: 'channel', subjectId: owner.user._id, reason: 'spam' })
  const writes = [
    comment,
    () => client.post(`/api/v1/likes/video/toggle/${video}`),
    () => client.post(`/api/v1/likes/comment/toggle/${commentId}`),
    () => client.post(`/api/v1/sub/channel/${owner.user.username}`),
    createPlaylist,
    report,
  ]
  for (const write of writes) expect(await times(2, write)).toEqual([2, 0])
  for (const write of writes) expect(await times(1, write)).toEqual([0, 1])
  // reads and other accounts are not affected
  expect((await client.get('/api/v1/playlists')).status).toBe(200)
  expect((await owner.client.post('/api/v1/comment/add', { videoId: video, content: 'Mine' })).status).toBe(
    201,
  )
  site.clock.advance(60_000)
  expect((await comment()).status).toBe(201)
})

test('limits exports of one account per day', async () => {
  const [{ client }, other] = [await signUp(site), await signUp(site)]
  const start = async ({ client: by } = { client }) => {
    const response = await by.post('/api/v1/users/export')
    await by.delete('/api/v1/users/export')
    return response
  }
  expect(await times(5, start)).toEqual([3, 2])
  expect((await start(other)).status).toBe(201)
  site.clock.advance(24 * 3600_000)
  expect((await start()).status).toBe(201)
})

test('limits how often an account can try email addresses', async () => {
  const [{ client, user }, other] = [await signUp(site), await signUp(site)]
  const change = (body: object) => client.patch('/api/v1/users/updatedetails', body)
  expect((await change({ email: other.user.email })).status).toBe(409)
  expect((await change({ email: `new-${user.email}` })).status).toBe(200)
  expect((await change({ email: other.user.email })).status).toBe(409)
  expect((await change({ email: other.user.email })).status).toBe(429)
  // the current email does not count
  expect((await change({ fullname: 'Ada', email: `new-${user.email}` })).status).toBe(200)
  site.clock.advance(3600_000)
  expect((await change({ email: user.email })).status).toBe(200)
})

test.each(['admin', 'Administrator', 'ROOT', 'support', 'login', 'api'])(
  'rejects the reserved username %s',
  async (username) => {
    const { status, body } = await site
      .client()
      .post('/api/v1/users/register', await registrationForm({ username }))
    const message = 'This username is reserved. Please choose another one.'
    expect([status, body]).toMatchObject([400, { message, errors: [{ path: 'username', message }] }])
  },
)

test('accepts ordinary usernames', async () => {
  const names = ['user1', 'alice', 'demo', 'owner', 'viewer', 'admin1', 'tester', 'home', 'user', 'guest']
  for (const username of names) {
    const form = await registrationForm({ username })
    expect((await site.client().post('/api/v1/users/register', form)).status).toBe(201)
  }
})

test('without DEMO_ACCOUNT, the account test is like any other', async () => {
  const { client } = await signUp(site, { username: 'test' })
  const passwords = { oldPassword: testPassword, newPassword: 'another good password' }
  expect((await client.post('/api/v1/users/changepass', passwords)).status).toBe(200)
  const gone = await client.post('/api/v1/users/deleteaccount', { password: 'another good password' })
  expect(gone.status).toBe(200)
})

test('rejects bidirectional controls and look-alike spaces in names', async () => {
  const { user } = await signUp(site, { fullname: '\u202eKinora\u2066 \u00a0Team\u200b' })
  expect(user.fullname).toBe('Kinora  Team')
})
