import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addComment, listComments } from '@kinora/contract/conversation/comments.ts'
import { replaceFile } from '@kinora/contract/videos/uploads.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { getVideo, recordView, type Video } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { drawFile } from '@kinora/media/testing/draw-file.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { append, begin, sourceOf, upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addTestCaptions, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { listAllCaptions } from '../captions/queries.ts'
import { deleteReplacedFile, encodeSegment, prepare } from '../playback/jobs.ts'
import { segmentKey } from '../playback/rules.ts'
import { replaceFile as replaceFileBy } from './actions/replace-file.ts'

let site: TestApp
let ines: TestClient
let stranger: TestClient
let first: Buffer
let second: Buffer

const { signal } = new AbortController()

/** A clip of one colour, in 240p. */
const drawColour = (colour: string, seconds: number) => {
  const picture = ['-f', 'lavfi', '-i', `color=${colour}:s=426x240:r=25:d=${seconds}`]
  const tone = ['-f', 'lavfi', '-i', `sine=d=${seconds}:r=48000`]
  return drawFile([...picture, ...tone, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'], 'mp4')
}

beforeAll(async () => {
  site = await createTestApp({
    worker: true,
    settings: { PREPARE_POLICY: 'none', SEGMENT_WAIT_SECONDS: '100' },
  })
  ines = (await signUp(site)).client
  stranger = (await signUp(site)).client
  first = await drawColour('red', 2)
  second = await drawColour('blue', 5)
})
afterAll(() => site.close())

/** Sends a file resumably, without publishing it. */
async function send(client: TestClient, file: Uint8Array): Promise<string> {
  const path = await begin(client, file.length)
  await append(client, path, 0, file)
  return path.split('/').at(-1) ?? ''
}

const replace = async (id: string, file: Uint8Array) =>
  ines.call(replaceFile, { params: { id }, body: { uploadId: await send(ines, file) } })

const statusOf = async (client: TestClient, path: string) => (await client.fetch(path)).status

async function storedKeys(prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of site.storage.list(prefix)) keys.push(key.slice(prefix.length))
  return keys
}

const storedFolders = async (id: string) => [
  ...new Set((await storedKeys(`segments/${id}/`)).map((key) => key.split('/')[0])),
]

/** The storage of the site with some methods of its own. */
const storageWith = (methods: Partial<Storage>): Storage =>
  new Proxy(site.storage, {
    get(target, name) {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** Names and payloads of jobs that wait for their time. */
async function deleteReplaced(videoId: string): Promise<number> {
  const { rows } = await sql<{ data: { sourceKey: string; folder: string } }>`
    select data from pgboss.job where name = ${deleteReplacedFile.name} and data->>'videoId' = ${videoId}`.execute(
    site.db,
  )
  for (const { data } of rows) await deleteReplacedFile.handle({ videoId, ...data }, site.context, signal)
  return rows.length
}

test('replaces the file; address, views and comments stay, segments get new addresses', async () => {
  const video = await upload(ines, 'Dunes', first)
  const { _id: id } = video
  await stranger.call(recordView, { params: { id } })
  await stranger.call(addComment, { body: { videoId: id, content: 'Well seen' } })
  const base = `/media/videos/${id}`
  const oldSegment = `${base}/${SEGMENT_FORMAT}/240/0.m4s`
  expect(await statusOf(stranger, oldSegment)).toBe(200)

  const uploadId = await send(ines, second)
  const replaced = await ines.call(replaceFile, { params: { id }, body: { uploadId } })
  const newFolder = `${SEGMENT_FORMAT}v${uploadId}`
  expect(replaced).toMatchObject({ _id: id, title: 'Dunes', views: 1, thumbnail: video.thumbnail })
  expect(Math.round(replaced.duration)).toBe(5)
  expect(replaced.createdAt).toBe(video.createdAt)
  expect(await stranger.call(getVideo, { params: { id } })).toMatchObject([{ videoFile: replaced.videoFile }])
  const comments = await stranger.call(listComments, { params: { videoId: id }, query: {} })
  expect(JSON.stringify(comments)).toContain('Well seen')
  // its tags are blanked
  expect(await sourceOf(stranger, replaced)).toHaveLength(second.length)

  const master = await (await stranger.fetch(`${base}/master.m3u8`)).text()
  const folders = master.matchAll(/^(?:#.*URI=")?(\w+)\/[\w-]+\/index\.m3u8/gm)
  expect(new Set(Array.from(folders, ([, folder]) => folder))).toEqual(new Set([newFolder]))
  for (const track of ['240', 'source']) {
    expect(await statusOf(stranger, `${base}/${newFolder}/${track}/0.m4s`)).toBe(200)
    expect(await statusOf(stranger, `${base}/${SEGMENT_FORMAT}/${track}/0.m4s`)).toBe(404)
  }
  expect(await statusOf(stranger, video.videoFile)).toBe(404)

  expect(await deleteReplaced(id)).toBe(2)
  expect(await storedKeys(`sources/${id}/`)).toHaveLength(1)
  await expect.poll(() => storedFolders(id)).toEqual([newFolder])
  expect(await statusOf(stranger, replaced.videoFile)).toBe(200)
})

test('a repeated request changes nothing, and the upload is gone', async () => {
  const { _id: id } = await upload(ines, 'Dunes', first)
  const uploadId = await send(ines, second)
  const request = { params: { id }, body: { uploadId } }
  const replaced = await ines.call(replaceFile, request)
  expect((await ines.call(replaceFile, request)).videoFile).toBe(replaced.videoFile)
  const head = await ines.fetch(`/api/v1/uploads/${uploadId}`, {
    method: 'HEAD',
    headers: { 'tus-resumable': '1.0.0' },
  })
  expect(head.status).toBe(404)
})

test('a request that fails leaves the file of a concurrent one with the same upload', async () => {
  const { client, user } = await signUp(site)
  const { _id: id } = await upload(client, 'Dunes', first)
  const uploadId = await send(client, second)
  const directory = await mkdtemp(join(tmpdir(), 'kinora-replace-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const attempt = async (storage: Storage, credential = '') => {
    const videoFile = join(directory, newId())
    await writeFile(videoFile, second)
    const account = { ownerId: user._id, actorId: user._id, credential }
    const replacement = { videoId: id, ...account, uploadId, keepsMetadata: false }
    await replaceFileBy({ ...site.context, storage }, { videoFile }, replacement, signal)
  }
  // the other request fails after this one has stored its file
  const storage = storageWith({
    put: async (...stored) => {
      await site.storage.put(...stored)
      await expect(attempt(site.storage)).rejects.toMatchObject({ code: 'unauthenticated' })
    },
  })
  await attempt(storage, client.cookies.get('session'))
  const [replaced] = await client.call(getVideo, { params: { id } })
  expect(replaced && (await statusOf(client, replaced.videoFile))).toBe(200)
  // the upload is used only once
  await expect(attempt(site.storage, client.cookies.get('session'))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await client.call(getVideo, { params: { id } })).toMatchObject([{ videoFile: replaced?.videoFile }])
  expect(await deleteReplaced(id)).toBe(2)
  expect(await storedKeys(`sources/${id}/`)).toHaveLength(1)
})

test('prepares the new file if the old one was being prepared', { tags: ['nightly'] }, async () => {
  const { _id: id } = await upload(ines, 'Dunes', first)
  const uploadId = await send(ines, second)
  let replacing: Promise<unknown> | undefined
  const searched: string[] = []
  const storage = storageWith({
    head: async (key) => {
      searched.push(key)
      await (replacing ??= ines.call(replaceFile, { params: { id }, body: { uploadId } }))
      return site.storage.head(key)
    },
  })
  await prepare.handle({ videoId: id }, { ...site.context, storage }, signal)
  expect(searched).toContain(
    segmentKey({ videoId: id, folder: `${SEGMENT_FORMAT}v${uploadId}`, track: '240', part: 0 }),
  )
})

test('keeps the old file and nothing else if the new one is no video', async () => {
  const video = await upload(ines, 'Dunes', first)
  await expect(replace(video._id, Buffer.from('no video at all'))).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'video' }],
  })
  expect(await sourceOf(stranger, video)).toHaveLength(first.length)
  expect(await storedKeys(`sources/${video._id}/`)).toHaveLength(1)
  expect(await deleteReplaced(video._id)).toBe(0)
})

test('keeps the old file if the owner was signed out meanwhile', async () => {
  const { client } = await signUp(site)
  const video: Video = await upload(client, 'Dunes', first)
  const uploadId = await send(client, second)
  // the session ends while the file is inspected
  await sql`
    create function end_sessions() returns trigger language plpgsql as $$ begin
      delete from sessions where user_id = ${sql.lit(video.videoOwner._id)}; return new;
    end $$`.execute(site.db)
  await sql`
    create trigger end_sessions after insert on pgboss.job for each row
      when (new.name = 'uploads.delete_source') execute function end_sessions()`.execute(site.db)
  try {
    const request = client.call(replaceFile, { params: { id: video._id }, body: { uploadId } })
    await expect(request).rejects.toMatchObject({ status: 401 })
  } finally {
    await sql`drop trigger end_sessions on pgboss.job`.execute(site.db)
  }
  expect(await sourceOf(stranger, video)).toHaveLength(first.length)
  expect(await storedKeys(`sources/${video._id}/`)).toHaveLength(1)
})

test('takes only a complete upload of the owner', async () => {
  const { _id: id } = await upload(ines, 'Dunes', first)
  const begun = (await begin(ines, 1000)).split('/').at(-1) ?? ''
  const put = async (client: TestClient, uploadId: string) =>
    (await client.put(`/api/v1/studio/videos/${id}/file`, { uploadId })).status
  expect(await put(ines, begun)).toBe(409)
  expect(await put(ines, 'unknown')).toBe(404)
  expect(await put(ines, await send(stranger, second))).toBe(403)
  expect(await put(stranger, await send(stranger, second))).toBe(403)
  await ines.call(changeOwnVideo, { params: { id }, body: { visibility: 'private' } })
  expect(await put(stranger, await send(stranger, second))).toBe(404)
})

test('segments that are encoded of the old file meanwhile are deleted', { tags: ['nightly'] }, async () => {
  const { _id: id } = await upload(ines, 'Dunes', first)
  const uploadId = await send(ines, second)
  let replacing: Promise<unknown> | undefined
  // storing takes until the file is replaced
  const storage = storageWith({
    putOnce: async (...stored) => {
      await (replacing ??= ines.call(replaceFile, { params: { id }, body: { uploadId } }))
      return site.storage.putOnce(...stored)
    },
  })
  const segment = { videoId: id, folder: SEGMENT_FORMAT, track: '240', part: 0, niceness: 0 }
  await site.storage.delete(segmentKey(segment))
  await encodeSegment.handle(segment, { ...site.context, storage }, signal)
  expect(replacing).toBeDefined()
  // the worker of the site may prepare the old file, too
  await expect.poll(() => storedFolders(id)).not.toContain(SEGMENT_FORMAT)
  await encodeSegment.handle(segment, site.context, signal)
  expect(await storedFolders(id)).not.toContain(SEGMENT_FORMAT)
})

test('edited copies of captions stay, and replace only tracks of the same language', async () => {
  const { _id: id } = await upload(ines, 'Dunes', first)
  await addTestCaptions(site, id)
  await sql`update captions set file_track = 0 where video_id = ${id}`.execute(site.db)
  const hasTrack = (language: string) =>
    sql`update videos set source = source || ${JSON.stringify({ captions: [{ position: 0, language, label: 'x' }] })}::jsonb
      where id = ${id}`.execute(site.db)
  await hasTrack('en')
  expect(await listAllCaptions(site.db, id)).toMatchObject([{ label: 'English', fileTrack: 0 }])
  await replace(id, second)
  expect(await listAllCaptions(site.db, id)).toMatchObject([{ label: 'English', fileTrack: null }])
})

test('a live video keeps its file', async () => {
  const { client, user } = await signUp(site)
  const id = await addVideo(site, user._id, { isLive: true })
  const live = { status: 409, body: { reason: 'video_live' } }
  expect(await client.put(`/api/v1/studio/videos/${id}/file`, { uploadId: newId() })).toMatchObject(live)
  expect(await client.put(`/api/v1/studio/videos/${id}/thumbnail/frame`, { seconds: 1 })).toMatchObject(live)
  const keep = [{ startSeconds: 0, endSeconds: 1 }]
  expect(await client.put(`/api/v1/videos/${id}/cut`, { keep })).toMatchObject(live)
  expect(await client.get(`/api/v1/videos/${id}/cut`)).toMatchObject(live)
})
