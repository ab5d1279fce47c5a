import { addComment, addReply } from '@kinora/contract/conversation/comments.ts'
import { createReport } from '@kinora/contract/operations/reports.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { append, begin, publish, tus, uploadForm, uploads } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { changeSettings } from '../../operations/site/actions.ts'
import { updateRole } from '../users/queries.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let videoId: string

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  videoId = await addVideo(site, owner.user._id)
})
afterAll(() => site.close())
beforeEach(() => changeSettings(site.context, null, { newAccountDays: 7 }))

const hoursAgo = (hours: number) => new Date(site.context.clock.now().getTime() - hours * 3600_000)
const comment = ({ client }: typeof owner) => client.call(addComment, { body: { videoId, content: 'Boats' } })
const commentTimes = async (by: typeof owner, times: number) => {
  for (let count = 0; count < times; count++) await comment(by)
}
const refusal = (message: RegExp) => ({
  status: 429,
  code: 'too_many_requests',
  message: expect.stringMatching(message),
})
const tooManyComments = refusal(
  /^New accounts can write 20 comments in 24 hours. Try again in 24 hours. The limit grows, and ends 7 days after you registered.$/,
)

test('a new account writes 20 comments and replies in 24 hours, which deleting them does not change', async () => {
  const person = await signUp(site)
  const { _id: commentId } = await comment(person)
  await commentTimes(person, 19)
  await expect(comment(person)).rejects.toMatchObject(tooManyComments)
  await site.db.deleteFrom('comments').where('id', '<>', commentId).execute()
  const reply = { params: { commentId }, body: { content: 'Harbours' } }
  await expect(person.client.call(addReply, reply)).rejects.toMatchObject(tooManyComments)
  const { headers } = await person.client.fetch('/api/v1/comment/add', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ videoId, content: 'Boats' }),
  })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
})

test('sends 10 reports in 24 hours', async () => {
  const person = await signUp(site)
  const report = async () =>
    person.client.call(createReport, {
      body: { kind: 'video', subjectId: await addVideo(site, owner.user._id), reason: 'spam' },
    })
  for (let count = 0; count < 10; count++) await report()
  await expect(report()).rejects.toMatchObject(refusal(/can send 10 reports in 24 hours/))
})

test('begins 5 uploads in 24 hours, however it sends them, and publishes what was begun', async () => {
  const { client } = await signUp(site)
  const video = await drawClip('mp4')
  const send = async () => client.post('/api/v1/video/upload', await uploadForm({}, video))
  expect((await send()).status).toBe(201)
  for (let count = 0; count < 3; count++) await begin(client, 10)
  const path = await begin(client, video.length)
  const refused = await tus(client, 'POST', uploads, { 'upload-length': '10' })
  const message = /^New accounts can begin 5 uploads in 24 hours. Try again in 24 hours./
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { message: expect.stringMatching(message) },
  ])
  // clients would retry by themselves
  expect(refused.headers.get('retry-after')).toBe(null)
  expect(await send()).toMatchObject({ status: 429, body: { message: expect.stringMatching(message) } })
  await append(client, path, 0, video)
  expect((await publish(client, path)).status).toBe(201)
})

test('limits grow with the age of an account', async () => {
  const person = await signUp(site)
  const age = { createdAt: hoursAgo(3 * 24) }
  await site.db.updateTable('users').set(age).where('id', '=', person.user._id).execute()
  await commentTimes(person, 40)
  await expect(comment(person)).rejects.toMatchObject(
    refusal(/^New accounts can write 40 comments in 24 hours/),
  )
})

test('limits nobody who is older, has published what stayed, or moderates, and no site that did not ask for it', async () => {
  const [older, proven, spammer, moderator] = [
    await signUp(site),
    await signUp(site),
    await signUp(site),
    await signUp(site),
  ]
  const age = { createdAt: hoursAgo(7 * 24 + 1) }
  await site.db.updateTable('users').set(age).where('id', '=', older.user._id).execute()
  await updateRole(site.db, moderator.user._id, 'moderator')
  for (const { user } of [proven, spammer]) {
    for (let count = 0; count < 10; count++)
      await addVideo(site, user._id, { createdAt: hoursAgo(user === proven.user || count < 3 ? 25 : 23) })
  }
  for (const person of [older, proven, moderator]) await commentTimes(person, 21)
  await commentTimes(spammer, 20)
  await expect(comment(spammer)).rejects.toMatchObject(tooManyComments)
  await changeSettings(site.context, null, { newAccountDays: 0 })
  await comment(spammer)
})
