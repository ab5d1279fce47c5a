import { createApiToken } from '@kinora/contract/accounts/api-tokens.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../testing/fixtures/test-app.ts'
import type { TestClient } from '../testing/fixtures/test-client.ts'
import { drawPicture, registrationForm, signUp, testPassword } from '../testing/fixtures/test-users.ts'
import { addVideo } from '../testing/fixtures/test-videos.ts'

let site: TestApp
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  site = await createTestApp({ settings: { LOG_LEVEL: 'info' } })
  // reads log calls before pino writes them to standard output
  const { log } = site.context
  log.info = (fields: unknown) => {
    if (typeof fields === 'object' && fields !== null) lines.push({ ...fields })
  }
})
afterAll(() => site.close())

/** Returns the audit lines that `act` causes. */
async function recorded(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  lines.length = 0
  await act()
  return lines.filter(({ audit }) => audit === true)
}

const idOf = (line: Record<string, unknown> | undefined) =>
  (line?.['target'] as { id: string } | undefined)?.id

test('logs one line with actor and target per change of an account', async () => {
  const client = site.client()
  const form = await registrationForm()
  const username = String(form.get('username'))
  const [registered] = await recorded(() => client.post('/api/v1/users/register', form))
  expect(registered).toMatchObject({ action: 'register', actor: null, address: '127.0.0.1' })
  const id = idOf(registered)
  const signIn = () => client.post('/api/v1/users/login', { username, password: testPassword })
  expect(await recorded(signIn)).toMatchObject([{ action: 'login', actor: null, target: { id } }])

  const passwords = { oldPassword: testPassword, newPassword: 'another good password' }
  const picture = new FormData()
  picture.set('avatar', await drawPicture(), 'a.png')
  const changes: [string, () => Promise<unknown>][] = [
    ['updateDetails', () => client.patch('/api/v1/users/updatedetails', { fullname: 'Ada' })],
    ['updateAvatar', () => client.patch('/api/v1/users/updateavatar', picture)],
    ['changePassword', () => client.post('/api/v1/users/changepass', passwords)],
    ['deleteAccount', () => client.post('/api/v1/users/deleteaccount', { password: passwords.newPassword })],
  ]
  for (const [action, change] of changes)
    expect(await recorded(change), action).toMatchObject([{ action, actor: id }])
  expect(JSON.stringify(lines)).not.toContain('password"')
})

test('names the API token that authorized a change, and none for a session', async () => {
  const { client, user } = await signUp(site)
  const body = { name: 'Script', scopes: ['comment' as const], days: 1, password: testPassword }
  const { _id: tokenId, token } = await client.call(createApiToken, { body })
  const videoId = await addVideo(site, user._id)
  const comment = (by: TestClient) =>
    recorded(() => by.post('/api/v1/comment/add', { videoId, content: 'Well seen' }))
  const program = site.client()
  program.token = token
  expect(await comment(program)).toMatchObject([{ action: 'addComment', actor: user._id, tokenId }])
  const [bySession] = await comment(client)
  expect(bySession).toMatchObject({ actor: user._id, tokenId: undefined })
  expect(JSON.stringify(lines)).not.toContain(token)
})

test('logs one line per change of content, and none for failures, reads, likes and views', async () => {
  const { client, user } = await signUp(site)
  const video = await addVideo(site, user._id)
  const comment = () => client.post('/api/v1/comment/add', { videoId: video, content: 'Not for the log' })
  const added = await recorded(comment)
  expect(added).toMatchObject([{ action: 'addComment', actor: user._id }])
  expect(JSON.stringify(added)).not.toContain('Not for the log')
  const commentId = idOf(added[0])
  expect(await recorded(() => client.delete(`/api/v1/comment/delete/${video}/${commentId}`))).toMatchObject([
    { action: 'deleteComment', actor: user._id, target: { videoId: video, commentId } },
  ])
  const quiet = async () => {
    await client.get(`/api/v1/video/${video}`)
    await client.patch(`/api/v1/video/${video}`)
    await client.post(`/api/v1/likes/video/toggle/${video}`)
    await client.patch(`/api/v1/users/updatehistory/${video}`)
    await client.delete(`/api/v1/comment/delete/${video}/${commentId}`)
  }
  expect(await recorded(quiet)).toEqual([])
  expect(await recorded(() => client.delete(`/api/v1/video/${video}`))).toMatchObject([
    { action: 'deleteVideo', actor: user._id, target: { id: video } },
  ])
})
