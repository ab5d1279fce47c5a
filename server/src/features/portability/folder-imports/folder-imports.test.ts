import { appendFile, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { listOwnPlaylists, listPlaylistEntries } from '@kinora/contract/watching/playlists.ts'
import { listOwnCaptions } from '@kinora/contract/videos/captions.ts'
import { getOwnVideo, listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawPicture, signUp } from '../../../testing/fixtures/test-users.ts'
import { findFiles } from '../../videos/uploads/queries.ts'
import { importFolder } from './actions/import-folder.ts'
import type { Placement } from './actions/place-file.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let folder: string

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { SEGMENT_WAIT_SECONDS: '150' } })
})
afterAll(() => site.close())
beforeEach(async () => {
  owner = await signUp(site)
  folder = await mkdtemp(path.join(tmpdir(), 'kinora-folder-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const at = (name: string) => path.join(folder, name)
/** Clips differ in a byte behind the last box, which players ignore. */
async function addClip(name: string): Promise<void> {
  await mkdir(path.dirname(at(name)), { recursive: true })
  await writeFile(at(name), await drawClip('mp4'))
  await appendFile(at(name), Buffer.from(`\0\0\0\x28free${name.padEnd(32, '.').slice(0, 32)}`, 'latin1'))
}
const bring = (
  more: { isDryRun?: boolean; placement?: Placement; hasPlaylists?: boolean; settleMs?: number } = {},
) =>
  importFolder(
    site.context,
    { folder, ownerId: owner.user._id, placement: 'reference', isDryRun: false, ...more },
    AbortSignal.timeout(600_000),
  )
const titles = async () =>
  (await owner.client.call(listOwnVideos, { query: { sort: 'title' } })).videos.map(({ title }) => title)
const statusOf = async (url: string) => {
  const response = await owner.client.fetch(url)
  await response.arrayBuffer()
  return response.status
}

test('brings what lies in a folder, plays it from there, and leaves every file as it is', async () => {
  await addClip('Night train [dQw4w9WgXcQ].mp4')
  await addClip('lessons/2026/halves.mp4')
  await writeFile(at('lessons/2026/halves.de.srt'), '1\n00:00:01,000 --> 00:00:02,000\nDie Hälfte\n')
  await writeFile(at('lessons/2026/halves.png'), Buffer.from(await (await drawPicture()).arrayBuffer()))
  await writeFile(
    at('lessons/2026/halves.info.json'),
    JSON.stringify({ title: 'Fractions', description: 'Halves', upload_date: '20260503', tags: ['maths'] }),
  )
  await writeFile(at('broken.mp4'), 'no video')
  await writeFile(at('notes.txt'), 'no video either')
  const before = await readFile(at('lessons/2026/halves.mp4'))

  const dry = await bring({ isDryRun: true })
  expect([dry.imported.length, dry.failed.length, await titles()]).toEqual([2, 1, []])

  const report = await bring()
  expect(report.imported).toHaveLength(2)
  expect(report.failed).toMatchObject([{ path: at('broken.mp4') }])
  const { videos } = await owner.client.call(listOwnVideos, { query: { sort: 'title' } })
  expect(videos).toMatchObject([
    { title: 'Fractions', visibility: 'private', createdAt: '2026-05-03T00:00:00.000Z', tags: ['maths'] },
    { title: 'Night train', visibility: 'private' },
  ])
  const [{ _id: id, streamUrl, videoFile } = { _id: '', streamUrl: '', videoFile: '' }] = videos
  const captions = await owner.client.call(listOwnCaptions, { params: { id } })
  expect(captions.map(({ language }) => language)).toEqual(['de'])
  const playlist = await (await owner.client.fetch(streamUrl)).text()
  const [stream = ''] = /^[^#].*index\.m3u8$/m.exec(playlist) ?? []
  const segment = streamUrl.replace('master.m3u8', stream.replace('index.m3u8', '0.m4s'))
  expect([await statusOf(segment), await statusOf(videoFile)]).toEqual([200, 200])
  expect(await readFile(at('lessons/2026/halves.mp4'))).toEqual(before)

  // a backup has no references, and a restored site finds its files again
  const { sourceKey = '' } = (await findFiles(site.db, id)) ?? {}
  await site.storage.delete(sourceKey)
  expect((await bring()).restored).toEqual([at('lessons/2026/halves.mp4')])
  expect(await site.storage.head(sourceKey)).toMatchObject({ sizeBytes: before.length })

  // deleting the video leaves the file, and the file does not come back
  await owner.client.call(deleteVideo, { params: { id } })
  await expect.poll(() => site.storage.head(sourceKey), { timeout: 60_000 }).toBeUndefined()
  expect(await readFile(at('lessons/2026/halves.mp4'))).toEqual(before)
  expect((await bring()).imported).toEqual([])
  expect(await titles()).toEqual(['Night train'])
})

test('a second import adds what is new, follows what was renamed, and reports what is gone or changed', async () => {
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4']) await addClip(name)
  expect((await bring()).imported).toHaveLength(4)
  await mkdir(at('moved'))
  await rename(at('b.mp4'), at('moved/renamed.mp4'))
  await rm(at('c.mp4'))
  await appendFile(at('d.mp4'), Buffer.from('\0\0\0\x08free', 'latin1'))
  await addClip('new.mp4')
  expect(await bring()).toMatchObject({
    imported: [at('new.mp4')],
    known: 1,
    renamed: [{ from: at('b.mp4'), to: at('moved/renamed.mp4') }],
    changed: [at('d.mp4')],
    missing: [at('c.mp4')],
    failed: [],
  })
  expect(await titles()).toEqual(['a', 'b', 'c', 'd', 'new'])
  const { videos } = await owner.client.call(listOwnVideos, { query: { sort: 'title' } })
  const statuses = await Promise.all(videos.map(({ videoFile }) => statusOf(videoFile)))
  expect(statuses).toEqual([200, 200, 404, 200, 200])
})

test('imports a video without captions, pictures and texts that cannot be read', async () => {
  await addClip('tide.mp4')
  await writeFile(at('tide.de.srt'), 'no captions')
  await writeFile(at('tide.en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nThe tide\n')
  await writeFile(at('tide.jpg'), 'no picture')
  await writeFile(
    at('tide.info.json'),
    JSON.stringify({ title: 'At\0 sea \ud800\u001b[31m', upload_date: '99991231' }),
  )
  const { imported, failed, leftOut } = await bring()
  expect([imported, failed]).toEqual([[at('tide.mp4')], []])
  expect(leftOut.map(({ path: file }) => path.basename(file)).toSorted()).toEqual(['tide.de.srt', 'tide.jpg'])
  const { videos } = await owner.client.call(listOwnVideos, { query: {} })
  expect(videos).toMatchObject([{ title: 'At  sea \ufffd [31m', createdAt: site.clock.now().toISOString() }])
  const captions = await owner.client.call(listOwnCaptions, { params: { id: videos[0]?._id ?? '' } })
  expect(captions.map(({ language }) => language)).toEqual(['en'])
})

test('reports what it has done when it is ended early', async () => {
  await addClip('tide.mp4')
  const signal = AbortSignal.abort()
  const input = { folder, ownerId: owner.user._id, placement: 'reference', isDryRun: false } as const
  expect(await importFolder(site.context, input, signal)).toMatchObject({ imported: [], isInterrupted: true })
})

test('videos get their pictures a moment later', async () => {
  await addClip('tide.mp4')
  await bring()
  const thumbnail = async () =>
    (await owner.client.call(listOwnVideos, { query: {} })).videos[0]?.thumbnail ?? ''
  expect(await thumbnail()).toMatch(/^\/media\/pictures\//)
  await expect.poll(async () => statusOf(await thumbnail()), { timeout: 60_000 }).toBe(200)
})

test('directories become playlists, which a second import continues', async () => {
  for (const name of ['a.mp4', 'lessons/2026/2.mp4', 'lessons/2026/1.mp4', 'lessons/intro.mp4'])
    await addClip(name)
  expect((await bring({ hasPlaylists: true })).playlists).toEqual(['lessons', 'lessons / 2026'])
  await addClip('lessons/2026/3.mp4')
  const second = await bring({ hasPlaylists: true })
  expect([second.playlists, second.known]).toEqual([[], 4])
  const lists = await owner.client.call(listOwnPlaylists, {})
  const { _id: playlistId = '', visibility } = lists.find(({ title }) => title === 'lessons / 2026') ?? {}
  const { items } = await owner.client.call(listPlaylistEntries, { params: { playlistId }, query: {} })
  expect([visibility, items.map(({ video }) => video?.title)]).toEqual(['private', ['1', '2', '3']])
})

test('refuses a second import into a channel while one is running, and leaves files that are being written', async () => {
  await addClip('tide.mp4')
  const [one, other] = await Promise.allSettled([bring(), bring()])
  expect([one, other].map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect([one, other]).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({
      message: 'Another import into this channel is running. Wait for its end.',
    }),
  })
  await addClip('new.mp4')
  expect((await bring({ settleMs: 3_600_000 })).imported).toEqual([])
  expect((await bring()).imported).toEqual([at('new.mp4')])
})

test('never follows a symbolic link', async () => {
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'kinora-elsewhere-'))
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
  await writeFile(path.join(elsewhere, 'secret.mp4'), await drawClip('mp4'))
  await symlink(path.join(elsewhere, 'secret.mp4'), at('secret.mp4'))
  await symlink(elsewhere, at('elsewhere'))
  expect(await bring()).toMatchObject({ imported: [], failed: [], links: 2 })
})

test.each(['link', 'copy'] as const)('a %s plays without the file', async (placement) => {
  await addClip('tide.mp4')
  await bring({ placement })
  await rm(at('tide.mp4'))
  const { videos } = await owner.client.call(listOwnVideos, { query: {} })
  const { videoFile } = await owner.client.call(getOwnVideo, { params: { id: videos[0]?._id ?? '' } })
  expect(await statusOf(videoFile)).toBe(200)
})
