import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  acceptCollaboration,
  deleteCollaborator,
  endCollaboration,
  listActivity,
  listCollaborations,
  listCollaborators,
  putCollaborator,
} from '@kinora/contract/videos/collaborators.ts'
import { addComment, approveComment, listReceivedComments } from '@kinora/contract/conversation/comments.ts'
import { listNotifications } from '@kinora/contract/messages/notifications.ts'
import {
  changeOwnVideo,
  changeOwnVideos,
  deleteOwnVideos,
  listOwnVideos,
} from '@kinora/contract/videos/studio.ts'
import { getUploadQuota, listUnfinishedUploads } from '@kinora/contract/videos/uploads.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import {
  append,
  offsetOf,
  publish,
  startPiece,
  tus,
  uploads,
  videoOf,
} from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { deleteOldActivity } from './jobs.ts'
import { suspendUser } from '../../accounts/users/actions/suspend-user.ts'

const megabyte = 1024 * 1024

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

async function person(): Promise<Person> {
  const { client, user } = await signUp(site)
  return { client, id: user._id, username: user.username }
}

async function joined(owner: Person, role: 'editor' | 'manager', invited?: Person): Promise<Person> {
  const worker = invited ?? (await person())
  await owner.client.call(putCollaborator, { params: worker, body: { role } })
  await worker.client.call(acceptCollaboration, { params: owner })
  return worker
}

/** Starts a resumable upload into a channel; returns its path. */
async function beginIn(channel: Person, { client }: Person, sizeBytes: number): Promise<Response> {
  const path = `${uploads}?channel=${channel.username}`
  return tus(client, 'POST', path, { 'upload-length': String(sizeBytes) })
}

const pathOf = (response: Response) => response.headers.get('location') ?? ''

const reasonOf = async (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { reason?: string }) => error.reason,
  )

test('an invitation is shown to both, notified, and gives nothing until it is accepted', async () => {
  const [ada, ben] = [await person(), await person()]
  await ada.client.call(putCollaborator, { params: ben, body: { role: 'editor' } })
  const query = { channel: ada.username }
  expect(await reasonOf(ben.client.call(listOwnVideos, { query }))).toBe('channel_not_yours')
  expect(await ada.client.call(listCollaborators, {})).toMatchObject([
    { person: { username: ben.username }, role: 'editor', isInvited: true },
  ])
  expect(await ben.client.call(listCollaborations, {})).toMatchObject([
    { channel: { username: ada.username }, role: 'editor', isInvited: true },
  ])
  const notifications = await ben.client.call(listNotifications, {})
  expect(notifications.items).toMatchObject([
    { kind: 'collaboration', isRead: false, actor: { username: ada.username } },
  ])
  // another role for the same invitation, and no second notification
  await ada.client.call(putCollaborator, { params: ben, body: { role: 'manager' } })
  expect((await ben.client.call(listNotifications, {})).items).toHaveLength(1)
  expect(await ben.client.call(acceptCollaboration, { params: ada })).toMatchObject([
    { role: 'manager', isInvited: false },
  ])
  expect((await ben.client.call(listNotifications, {})).items).toMatchObject([{ isRead: true }])
  expect((await ben.client.call(listOwnVideos, { query })).total).toBe(0)
  expect(await reasonOf(ben.client.call(acceptCollaboration, { params: ada }))).toBe(
    'collaboration_not_found',
  )
})

test('an invitation is declined or withdrawn, and then gives nothing', async () => {
  const [ada, ben] = [await person(), await person()]
  const invite = () => ada.client.call(putCollaborator, { params: ben, body: { role: 'editor' } })
  await invite()
  expect(await ben.client.call(endCollaboration, { params: ada })).toEqual([])
  await invite()
  expect(await ada.client.call(deleteCollaborator, { params: ben })).toEqual([])
  expect(await reasonOf(ben.client.call(acceptCollaboration, { params: ada }))).toBe(
    'collaboration_not_found',
  )
  expect(await reasonOf(ada.client.call(deleteCollaborator, { params: ben }))).toBe('collaborator_not_found')
  expect(await reasonOf(ada.client.call(putCollaborator, { params: ada, body: { role: 'editor' } }))).toBe(
    'collaborator_is_owner',
  )
})

test('two requests accept an invitation once', async () => {
  const [ada, ben] = [await person(), await person()]
  await ada.client.call(putCollaborator, { params: ben, body: { role: 'editor' } })
  const accept = () => reasonOf(ben.client.call(acceptCollaboration, { params: ada }))
  expect(new Set(await Promise.all([accept(), accept()]))).toEqual(
    new Set(['collaboration_not_found', 'done']),
  )
})

test('an editor works on the videos and comments of the channel', async () => {
  const ada = await person()
  const ben = await joined(ada, 'editor')
  const [viewer, query] = [await person(), { channel: ada.username }]
  const videoId = await addVideo(site, ada.id, { visibility: 'private', commentsHeld: true })
  expect(await ben.client.call(listOwnVideos, { query })).toMatchObject({ videos: [{ _id: videoId }] })
  const changed = await ben.client.call(changeOwnVideo, {
    params: { id: videoId },
    body: { title: 'Tide', visibility: 'public' },
  })
  expect(changed).toMatchObject({ title: 'Tide', videoOwner: { username: ada.username } })
  const results = await ben.client.call(changeOwnVideos, {
    query,
    body: { videos: [{ _id: videoId, description: 'At sea' }] },
  })
  expect(results).toMatchObject([{ error: null }])
  const comment = await viewer.client.call(addComment, { body: { videoId, content: 'Well seen' } })
  const received = await ben.client.call(listReceivedComments, { query: { ...query, show: 'held' } })
  expect(received.items).toMatchObject([{ _id: comment._id }])
  const approved = await ben.client.call(approveComment, { params: { videoId, commentId: comment._id } })
  expect(approved.isHeld).toBe(false)
})

test('an editor may do nothing that is for managers, and a manager nothing that is for the owner', async () => {
  const ada = await person()
  const [ben, cleo] = [await joined(ada, 'editor'), await joined(ada, 'manager')]
  const query = { channel: ada.username }
  const id = await addVideo(site, ada.id)
  const invite = (by: Person) =>
    reasonOf(by.client.call(putCollaborator, { params: ben, query, body: { role: 'manager' } }))
  expect(await invite(ben)).toBe('managers_only')
  expect(await reasonOf(ben.client.call(deleteCollaborator, { params: cleo, query }))).toBe('managers_only')
  expect(await reasonOf(ben.client.call(deleteOwnVideos, { query, body: { ids: [id] } }))).toBe(
    'managers_only',
  )
  // the specified calls stay with the owner
  for (const { client } of [ben, cleo]) {
    expect((await client.delete(`/api/v1/video/${id}`)).status).toBe(403)
    expect((await client.patch(`/api/v1/video/${id}/details`, { title: 'Theirs' })).status).toBe(403)
  }
  expect(await reasonOf(cleo.client.call(deleteOwnVideos, { query, body: { ids: [id] } }))).toBe('done')
  expect(await invite(cleo)).toBe('done')
  expect(await invite(ben)).toBe('done')
})

test('a role is of one channel only', async () => {
  const [ada, other] = [await person(), await person()]
  const ben = await joined(ada, 'manager')
  const theirs = await addVideo(site, other.id)
  const query = { channel: ada.username }
  const body = { videos: [{ _id: theirs, title: 'Taken' }] }
  expect(await ben.client.call(changeOwnVideos, { query, body })).toMatchObject([
    { cause: { reason: 'video_not_yours' } },
  ])
  expect(await ben.client.call(deleteOwnVideos, { query, body: { ids: [theirs] } })).toMatchObject([
    { cause: { reason: 'video_not_yours' } },
  ])
  expect(await reasonOf(ben.client.call(listOwnVideos, { query: { channel: other.username } }))).toBe(
    'channel_not_yours',
  )
})

test('an upload of an editor goes into the channel, and counts for its quota', async () => {
  const ada = await person()
  const ben = await joined(ada, 'editor')
  const file = await videoOf(megabyte)
  const path = pathOf(await beginIn(ada, ben, file.length))
  expect((await append(ben.client, path, 0, file)).status).toBe(204)
  const { status, body } = await publish(ben.client, path)
  expect([status, (body.data as Video).videoOwner.username]).toEqual([201, ada.username])
  const used = async ({ client }: Person) => (await client.call(getUploadQuota, {})).usedBytes
  expect([await used(ada), await used(ben)]).toEqual([file.length, 0])
  // a lost response
  expect((await publish(ben.client, path)).status).toBe(201)
  const stranger = await person()
  expect((await beginIn(ada, stranger, 10)).status).toBe(403)
})

test('an upload is refused where the quota of the channel is used up', async () => {
  const ada = await person()
  const ben = await joined(ada, 'editor')
  await site.db.updateTable('users').set({ quotaBytes: megabyte }).where('id', '=', ada.id).execute()
  expect((await beginIn(ada, ben, 2 * megabyte)).status).toBe(413)
  expect((await tus(ben.client, 'POST', uploads, { 'upload-length': String(2 * megabyte) })).status).toBe(201)
})

test('an editor who is removed while uploading sends no further byte, the channel keeps what arrived, and another editor goes on', async () => {
  const ada = await person()
  const [ben, cleo] = [await joined(ada, 'editor'), await joined(ada, 'editor')]
  const file = await videoOf(3 * megabyte)
  const path = pathOf(await beginIn(ada, ben, file.length))
  const id = path.split('/').at(-1) ?? ''
  const draft = { title: 'Glacier', description: '', visibility: 'private' }
  expect((await ben.client.put(`/api/v1/studio/uploads/${id}`, draft)).status).toBe(200)
  const other = pathOf(await beginIn(ada, cleo, file.length))
  const going = startPiece(cleo.client, other, 0, file.length)
  const gone = once(going, 'response')
  going.write(file.subarray(0, megabyte))
  const sending = startPiece(ben.client, path, 0, file.length)
  const responded = once(sending, 'response')
  sending.write(file.subarray(0, megabyte))
  const stored = join(site.context.config.dataDir, 'uploads', id)
  await expect.poll(async () => (await stat(stored)).size).toBe(megabyte)
  await ada.client.call(deleteCollaborator, { params: ben })
  const [{ statusCode }] = (await responded) as [{ statusCode: number }]
  expect(statusCode).toBe(403)
  sending.write(file.subarray(megabyte, 2 * megabyte))
  expect((await append(ben.client, path, megabyte, file.subarray(megabyte))).status).toBe(403)
  expect((await publish(ben.client, path)).status).toBe(403)
  expect((await stat(stored)).size).toBe(megabyte)
  sending.destroy()
  going.end(file.subarray(megabyte))
  expect(await gone).toMatchObject([{ statusCode: 204 }])
  expect((await publish(cleo.client, other)).status).toBe(201)
  // the owner continues it
  expect(await ada.client.call(listUnfinishedUploads, {})).toMatchObject([{ _id: id, title: 'Glacier' }])
  await expect.poll(() => offsetOf(ada.client, path)).toBe(megabyte)
  expect((await append(ada.client, path, megabyte, file.subarray(megabyte))).status).toBe(204)
  expect((await publish(ada.client, path)).status).toBe(201)
})

test('what people do is listed with their names, and of an owner alone nothing', async () => {
  const ada = await person()
  const activity = async () => (await ada.client.call(listActivity, {})).items
  const id = await addVideo(site, ada.id, { title: 'Tide' })
  await ada.client.call(changeOwnVideo, { params: { id }, body: { title: 'Tides' } })
  expect(await activity()).toEqual([])
  const ben = await joined(ada, 'manager')
  const query = { channel: ada.username }
  for (const title of ['Low tide', 'Low tides'])
    await ben.client.call(changeOwnVideo, { params: { id }, body: { title } })
  await ben.client.call(deleteOwnVideos, { query, body: { ids: [id, 'nothing'] } })
  await ada.client.call(deleteCollaborator, { params: ben })
  expect(await reasonOf(ada.client.call(deleteCollaborator, { params: ben }))).toBe('collaborator_not_found')
  expect(
    (await activity()).map(({ action, actor, subject, videoId }) => [
      action,
      actor?.username,
      subject,
      videoId,
    ]),
  ).toEqual([
    ['person_removed', ada.username, ben.username, null],
    ['video_deleted', ben.username, 'Low tides', null],
    ['video_changed', ben.username, 'Low tide', null],
    ['person_joined', ben.username, ben.username, null],
    ['person_invited', ada.username, ben.username, null],
  ])
  expect(await reasonOf(ben.client.call(listActivity, { query }))).toBe('channel_not_yours')
  site.clock.advance(400 * 24 * 3600_000)
  await deleteOldActivity.handle({}, site.context, new AbortController().signal)
  site.clock.advance(-400 * 24 * 3600_000)
  expect(await activity()).toEqual([])
})

test('an upload of an editor is listed for the others with its sender, and for the owner as an own one once it is left behind', async () => {
  const ada = await person()
  const ben = await joined(ada, 'editor')
  const id =
    pathOf(await beginIn(ada, ben, 10))
      .split('/')
      .at(-1) ?? ''
  await ben.client.put(`/api/v1/studio/uploads/${id}`, {
    title: 'Pier',
    description: '',
    visibility: 'private',
  })
  const cleo = await joined(ada, 'editor')
  const listed = async ({ client }: Person, query = {}) =>
    (await client.call(listUnfinishedUploads, { query })).map(({ _id }) => _id)
  const ofOthers = async ({ client }: Person) =>
    client.call(listUnfinishedUploads, { query: { channel: ada.username, by: 'others' } })
  for (const each of [ada, cleo])
    expect(await ofOthers(each)).toMatchObject([
      { _id: id, title: 'Pier', sizeBytes: 10, receivedBytes: 0, uploader: { username: ben.username } },
    ])
  expect(await ofOthers(ben)).toEqual([])
  expect([await listed(ada), await listed(ben, { channel: ada.username }), await listed(ben)]).toEqual([
    [],
    [id],
    [],
  ])
  await ben.client.call(endCollaboration, { params: ada })
  expect([await listed(ada), await ofOthers(ada), await ofOthers(cleo)]).toEqual([[id], [], []])
  expect(await reasonOf(ofOthers(ben))).toBe('channel_not_yours')
})

test('somebody who leaves works on the channel no more', async () => {
  const ada = await person()
  const ben = await joined(ada, 'manager')
  const id = await addVideo(site, ada.id, { visibility: 'private' })
  // a manager may also name people who see the video
  await site.db.insertInto('videoViewers').values({ videoId: id, userId: ben.id }).execute()
  expect((await ben.client.get(`/api/v1/video/${id}`)).status).toBe(200)
  expect(await ben.client.call(endCollaboration, { params: ada })).toEqual([])
  expect(await ada.client.call(listCollaborators, {})).toEqual([])
  expect((await ben.client.get(`/api/v1/video/${id}`)).status).toBe(404)
  expect((await ben.client.get(`/api/v1/studio/videos/${id}`)).status).toBe(404)
})

test('nobody works on the channel of a suspended account', async () => {
  const ada = await person()
  const ben = await joined(ada, 'editor')
  await suspendUser(site.context, ada.id)
  const query = { channel: ada.username }
  expect(await reasonOf(ben.client.call(listOwnVideos, { query }))).toBe('channel_not_yours')
  expect((await beginIn(ada, ben, 10)).status).toBe(403)
})
