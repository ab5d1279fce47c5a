import { AccountArchive, archiveFiles } from '@kinora/contract/portability/account-archive.ts'
import { addComment } from '@kinora/contract/conversation/comments.ts'
import {
  accountArchivePath,
  createAccountExport,
  deleteAccountExport,
  getAccountExport,
} from '@kinora/contract/portability/account-exports.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { updateHistory } from '@kinora/contract/watching/history.ts'
import { toggleCommentLike } from '@kinora/contract/conversation/likes.ts'
import { addToPlaylist, createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { toggleSubscription } from '@kinora/contract/watching/subscriptions.ts'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { unzip } from '../../../testing/fixtures/test-imports.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { makeAccountExport, sweepAccountExports } from './jobs.ts'

let site: TestApp
const archive = apiPrefix + accountArchivePath
const never = new AbortController().signal

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

type Person = Awaited<ReturnType<typeof signUp>>

/** Starts an export and makes it. */
async function exportAccount({ client, user }: Person): Promise<void> {
  await client.call(createAccountExport, {})
  await makeAccountExport.handle(await exportOf(user._id), site.context, never)
}

const exportOf = (userId: string) =>
  site.db.selectFrom('accountExports').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()

async function listArchives(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of site.storage.list('exports/')) keys.push(key)
  return keys
}

test('an archive has everything of the account, and follows its schema', async () => {
  const [member, other] = [await signUp(site), await signUp(site)]
  const clip = await drawClip('mp4')
  const own = (await upload(member.client, 'Glacier', clip))._id
  await member.client.call(changeOwnVideo, { params: { id: own }, body: { tags: ['ice'] } })
  await addTestCaptions(site, own)
  const foreign = await addVideo(site, other.user._id, { title: 'Tide' })
  const hidden = await addVideo(site, other.user._id, { title: 'Secret' })
  const comment = await member.client.call(addComment, { body: { videoId: foreign, content: 'Waves' } })
  await member.client.post(`/api/v1/likes/video/toggle/${foreign}`)
  await member.client.call(toggleCommentLike, { params: { commentId: comment._id } })
  for (const videoId of [foreign, hidden]) await member.client.call(updateHistory, { params: { videoId } })
  await member.client.call(toggleSubscription, { params: { username: other.user.username } })
  const { _id: playlistId } = await member.client.call(createPlaylist, { body: { title: 'Water' } })
  await member.client.call(addToPlaylist, { params: { playlistId, videoId: foreign } })
  await other.client.call(changeOwnVideo, { params: { id: hidden }, body: { visibility: 'private' } })

  await exportAccount(member)
  const response = await member.client.fetch(archive)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="kinora-${member.user.username}-[\\d-]{10}\\.zip"$`),
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const files = await unzip(bytes)
  const read = (name: string) => JSON.parse(String(files.get(name)))

  for (const [name, schema] of Object.entries<z.ZodType>(archiveFiles)) {
    const { error } = schema.safeParse(read(name.replace('<id>', own)))
    expect([name, error]).toEqual([name, undefined])
  }
  expect(read('schema.json')).toEqual(z.toJSONSchema(AccountArchive))
  const tide = { id: foreign, name: 'Tide', attributedTo: other.user.username }
  expect(read('account.json')).toMatchObject({
    preferredUsername: member.user.username,
    email: member.user.email,
    icon: 'avatar.webp',
  })
  expect(read('comments.json')).toMatchObject([{ id: comment._id, video: tide, content: 'Waves' }])
  expect(read('video-likes.json')).toMatchObject([{ video: tide }])
  expect(read('comment-likes.json')).toMatchObject([{ comment: comment._id, video: tide }])
  expect(read('playlists.json')).toContainEqual(
    expect.objectContaining({ name: 'Water', orderedItems: [expect.objectContaining(tide)] }),
  )
  expect(read('subscriptions.json')).toMatchObject([{ preferredUsername: other.user.username }])
  expect(read('history.json')).toHaveLength(2)
  // of somebody else, and private
  expect(read('history.json')).toContainEqual(
    expect.objectContaining({ video: { id: hidden, name: null, attributedTo: null } }),
  )
  const video = read(`videos/${own}/video.json`)
  expect(video).toMatchObject({ name: 'Glacier', tags: ['ice'], captions: [{ language: 'en' }] })
  const stored = await site.storage.get(`sources/${own}/${await attemptOf(own)}`)
  expect(stored && (await buffer(stored.body)).equals(files.get(video.file) ?? Buffer.alloc(0))).toBe(true)
  expect(String(files.get(video.captions[0].file))).toContain('Salt')
  expect(files.get(video.image)?.subarray(8, 12).toString()).toBe('WEBP')
  expect([...files.keys()].join()).not.toContain(hidden)

  const tail = await member.client.fetch(archive, { headers: { range: `bytes=100-` } })
  expect(tail.status).toBe(206)
  expect(Buffer.from(await tail.arrayBuffer()).equals(bytes.subarray(100))).toBe(true)
})

async function attemptOf(videoId: string): Promise<string> {
  const { sourceKey } = await site.db
    .selectFrom('videos')
    .select('sourceKey')
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
  return sourceKey.split('/').at(-1) ?? ''
}

test('only the account reads its archive, and only when it is ready', async () => {
  const [member, other] = [await signUp(site), await signUp(site)]
  expect(await member.client.call(getAccountExport, {})).toBeNull()
  await member.client.call(createAccountExport, {})
  expect((await member.client.get(archive)).status).toBe(404)
  await makeAccountExport.handle(await exportOf(member.user._id), site.context, never)
  expect(await member.client.call(getAccountExport, {})).toMatchObject({ state: 'ready', progress: 1 })
  expect((await other.client.get(archive)).status).toBe(404)
  expect((await site.client().get(archive)).status).toBe(401)
})

test('refuses a second export while one is running', async () => {
  const member = await signUp(site)
  const start = () => member.client.post(`${apiPrefix}${createAccountExport.path}`)
  const statuses = (await Promise.all([start(), start(), start()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  expect(statuses).toContain(201)
  await makeAccountExport.handle(await exportOf(member.user._id), site.context, never)
  expect((await start()).status).toBe(201)
})

test('deletes archives that expire, are replaced, or lose their account', async () => {
  const [expiring, replacing, deleting, leaving] = await Promise.all([
    signUp(site),
    signUp(site),
    signUp(site),
    signUp(site),
  ])
  const before = new Set(await listArchives())
  for (const member of [expiring, replacing, deleting, leaving]) await exportAccount(member)
  expect(await listArchives()).toHaveLength(before.size + 4)
  await exportAccount(replacing)
  await deleting.client.call(deleteAccountExport, {})
  await leaving.client.post('/api/v1/users/deleteaccount', { password: testPassword })
  await site.db
    .updateTable('accountExports')
    .set({ expiresAt: site.clock.now() })
    .where('userId', '=', expiring.user._id)
    .execute()
  expect(await expiring.client.call(getAccountExport, {})).toBeNull()

  await sweepAccountExports.handle({}, site.context, never)
  const left = (await listArchives()).filter((key) => !before.has(key))
  expect(left).toEqual([`exports/${(await exportOf(replacing.user._id)).id}.zip`])
})

test('two runs of one export leave its archive', async () => {
  const member = await signUp(site)
  await member.client.call(createAccountExport, {})
  const job = await exportOf(member.user._id)
  await Promise.all([1, 2].map(() => makeAccountExport.handle(job, site.context, never)))
  expect(await member.client.call(getAccountExport, {})).toMatchObject({ state: 'ready' })
  expect((await member.client.get(archive)).status).toBe(200)
})

test('a retry of its job makes an export that failed', async () => {
  const member = await signUp(site)
  await member.client.call(createAccountExport, {})
  const job = await exportOf(member.user._id)
  await makeAccountExport.giveUp?.(job, site.context, new Error('The disk was full'))
  expect(await member.client.call(getAccountExport, {})).toMatchObject({ state: 'failed' })
  await makeAccountExport.handle(job, site.context, never)
  expect(await member.client.call(getAccountExport, {})).toMatchObject({ state: 'ready' })
  expect((await member.client.get(archive)).status).toBe(200)
})

test('an export that is deleted while it is made leaves no archive', async () => {
  const member = await signUp(site)
  await member.client.call(createAccountExport, {})
  const job = await exportOf(member.user._id)
  const before = await listArchives()
  const making = makeAccountExport.handle(job, site.context, never)
  await member.client.call(deleteAccountExport, {})
  await making
  expect(await listArchives()).toEqual(before)
  expect(await member.client.call(getAccountExport, {})).toBeNull()
})
