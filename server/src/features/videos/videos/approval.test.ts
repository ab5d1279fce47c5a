import { changeVideoApproval, listAllVideos } from '@kinora/contract/operations/moderation.ts'
import { getOverview, listAuditLog } from '@kinora/contract/operations/administration.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import { changeOwnVideo, listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { uploadForm } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { changeSettings } from '../../operations/site/actions.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { publishScheduledVideos } from './actions/publish-scheduled.ts'

let site: TestApp
let moderator: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
  moderator = await signUp(site)
  await updateRole(site.db, moderator.user._id, 'administrator')
})
afterAll(() => site.close())
afterEach(() => changeSettings(site.context, null, { holdFirstVideos: false }))

const hold = () => changeSettings(site.context, null, { holdFirstVideos: true })
const approve = (id: string, isApproved = true) =>
  moderator.client.call(changeVideoApproval, { params: { id }, body: { isApproved } })
const statusFor = async (client: typeof moderator.client, id: string) =>
  (await client.get(`/api/v1/video/${id}`)).status
const guest = (id: string) => statusFor(site.client(), id)

async function upload({ client }: typeof moderator): Promise<{ _id: string; heldVisibility?: string }> {
  const { status, body } = await client.post(
    '/api/v1/video/upload',
    await uploadForm({}, await drawClip('mp4')),
  )
  expect(status).toBe(201)
  return body.data as { _id: string; heldVisibility?: string }
}

test('the first video of a member waits until a moderator approves it, which notifies subscribers', async () => {
  const [owner, fan] = [await signUp(site), await signUp(site)]
  await fan.client.call(toggleSubscription, { params: { username: owner.user.username } })
  await hold()
  const { _id: id, heldVisibility } = await upload(owner)
  expect(heldVisibility).toBe('public')
  const statuses = async () =>
    Promise.all([site.client(), fan.client, owner.client, moderator.client].map((who) => statusFor(who, id)))
  expect(await statuses()).toEqual([404, 404, 200, 200])
  const [own] = await owner.client.call(listOwnVideos, { query: {} }).then(({ videos }) => videos)
  expect(own).toMatchObject({ visibility: 'private', heldVisibility: 'public' })
  const waiting = () => moderator.client.call(listAllVideos, { query: { state: 'waiting' } })
  expect((await waiting()).videos).toMatchObject([
    { _id: id, state: 'waiting', thumbnail: expect.any(String) },
  ])
  expect(await moderator.client.call(getOverview, {})).toMatchObject({ waitingVideos: 1 })

  // nor can the owner publish it, or another one
  const change = { params: { id }, body: { visibility: 'members' as const } }
  await owner.client.call(changeOwnVideo, change)
  await owner.client.call(changeOwnVideo, { ...change, body: { visibility: 'public' } })
  const second = await upload(owner)
  expect(await Promise.all([id, second._id].map(guest))).toEqual([404, 404])
  const notified = async () =>
    (await fan.client.call(listNotifications, { query: {} })).items.filter(({ kind }) => kind === 'video')
  expect(await notified()).toEqual([])

  site.clock.advance(3600_000)
  await approve(id)
  expect(await statuses()).toEqual([200, 200, 200, 200])
  await expect.poll(notified).toHaveLength(1)
  const { body } = await site.client().get(`/api/v1/video/${id}`)
  expect(body.data).toMatchObject([{ visibility: 'public', createdAt: site.clock.now().toISOString() }])

  // taken back, and given again
  await approve(id, false)
  expect(await statuses()).toEqual([404, 404, 200, 200])
  await approve(id)
  expect(await guest(id)).toBe(200)
  const { entries } = await moderator.client.call(listAuditLog, { query: {} })
  expect(entries.filter(({ subject }) => subject === id).map(({ action }) => action)).toEqual([
    'approve_video',
    'hold_video',
    'approve_video',
  ])

  // from now on the owner decides
  const third = await upload(owner)
  expect([third.heldVisibility, await guest(third._id)]).toEqual([undefined, 200])
  for (const visibility of ['private', 'public'] as const)
    await owner.client.call(changeOwnVideo, { params: { id }, body: { visibility } })
  expect(await guest(id)).toBe(200)
  expect(await guest(second._id)).toBe(404)
})

test('private videos wait for nothing, until their owner shows them', async () => {
  const owner = await signUp(site)
  await hold()
  const id = await addVideo(site, owner.user._id, { visibility: 'private' })
  await expect(approve(id, false)).rejects.toMatchObject({ status: 409 })
  await owner.client.call(changeOwnVideo, { params: { id }, body: { visibility: 'unlisted' } })
  expect(await guest(id)).toBe(404)
  await approve(id)
  expect(await guest(id)).toBe(200)
})

test('a scheduled video is published by approval if its time has passed, or else at its time', async () => {
  const owner = await signUp(site)
  await hold()
  const inAnHour = () => new Date(site.clock.now().getTime() + 3600_000).toISOString()
  const schedule = async () => {
    const id = await addVideo(site, owner.user._id, { visibility: 'private' })
    const body = { visibility: 'scheduled' as const, publishAt: inAnHour() }
    await owner.client.call(changeOwnVideo, { params: { id }, body })
    return id
  }
  const [early, late] = [await schedule(), await schedule()]
  await approve(early)
  expect(await guest(early)).toBe(404)
  site.clock.advance(2 * 3600_000)
  expect(await publishScheduledVideos(site.context)).toEqual([early])
  await approve(late)
  await publishScheduledVideos(site.context)
  expect(await Promise.all([early, late].map(guest))).toEqual([200, 200])
})

test('a scheduled video that waits is saved with its time, also when that has passed', async () => {
  const owner = await signUp(site)
  await hold()
  const id = await addVideo(site, owner.user._id, { visibility: 'private' })
  const publishAt = new Date(site.clock.now().getTime() + 3600_000).toISOString()
  const save = (body: { title?: string; publishAt: string }) =>
    owner.client.call(changeOwnVideo, { params: { id }, body: { visibility: 'scheduled', ...body } })
  await save({ publishAt })
  site.clock.advance(2 * 3600_000)
  expect(await save({ title: 'Harbours', publishAt })).toMatchObject({
    title: 'Harbours',
    heldVisibility: 'scheduled',
    publishAt,
  })
  const earlier = new Date(Date.parse(publishAt) - 1000).toISOString()
  await expect(save({ publishAt: earlier })).rejects.toMatchObject({ status: 400 })
})

test('a video that waits still waits after its owner made it private, until it is approved', async () => {
  const owner = await signUp(site)
  const id = await addVideo(site, owner.user._id)
  await addVideo(site, owner.user._id)
  await approve(id, false)
  const show = (visibility: 'private' | 'public') =>
    owner.client.call(changeOwnVideo, { params: { id }, body: { visibility } })
  for (const visibility of ['private', 'private', 'public', 'private', 'public'] as const)
    await show(visibility)
  expect(await guest(id)).toBe(404)
  const { videos } = await moderator.client.call(listAllVideos, { query: { state: 'waiting' } })
  expect(videos.map(({ _id }) => _id)).toContain(id)
  await approve(id)
  for (const visibility of ['private', 'public'] as const) await show(visibility)
  expect(await guest(id)).toBe(200)
})

test('holds nothing of moderators, of members whose videos others saw before, and where it is off', async () => {
  const [known, off] = [await signUp(site), await signUp(site)]
  await addVideo(site, known.user._id)
  expect((await upload(off)).heldVisibility).toBe(undefined)
  await hold()
  for (const person of [known, moderator]) expect(await guest((await upload(person))._id)).toBe(200)
})
