import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Video } from '@kinora/contract/videos/videos.ts'
import type { WebhookEvent } from '@kinora/contract/messages/webhooks.ts'
import type { Transaction } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../../context/context.ts'
import type { Database } from '../../../context/database.ts'
import { newId } from '@kinora/platform/ids.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { upload, uploadForm } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { deleteOwnVideo } from '../video-deletion/actions/delete-video.ts'
import { insertWebhook } from '../../messages/webhooks/queries.ts'
import { publishVideo } from './actions/publish-video.ts'
import { undoUpload } from './actions/undo-upload.ts'
import { claimUploadRequest, insertUploadRequest } from './queries.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

async function postWithKey(client: TestClient, key: string): Promise<string> {
  const response = await client.fetch('/api/v1/video/upload', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: await uploadForm({}, await drawClip('mp4')),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { data: Video }).data._id
}

const videosOf = async (ownerId: string) =>
  (await site.db.selectFrom('videos').select('id').where('ownerId', '=', ownerId).execute()).map(
    ({ id }) => id,
  )

/** A context whose transactions commit, but the connection is lost before the response of the database arrives. */
function losingCommits(context: Context): Context {
  const execute = async <T>(work: (db: Transaction<Database>) => Promise<T>): Promise<T> => {
    await context.db.transaction().execute(work)
    throw new Error('Connection terminated unexpectedly')
  }
  const db = new Proxy(context.db, {
    get: (target, name) => {
      if (name === 'transaction') return () => ({ execute })
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...context, db }
}

test('a lost response of the database at the commit is no failure of the upload', async () => {
  const { user } = await signUp(site)
  const directory = await mkdtemp(join(tmpdir(), 'kinora-lost-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const videoFile = join(directory, 'video')
  await writeFile(videoFile, await drawClip('mp4'))
  const published = await publishVideo(
    losingCommits(site.context),
    {
      id: newId(),
      ownerId: user._id,
      title: 'Lost',
      description: 'Commit',
      videoFile,
      thumbnail: Promise.resolve(newId()),
    },
    new AbortController().signal,
  )
  expect(await videosOf(user._id)).toEqual([published._id])
})

test('publishes once when an upload is repeated with its key, one after another or at once', async () => {
  const { client, user } = await signUp(site)
  const first = await postWithKey(client, 'a')
  expect(await postWithKey(client, 'a')).toBe(first)
  const together = await Promise.all([1, 2, 3].map(() => postWithKey(client, 'b')))
  expect(new Set(together).size).toBe(1)
  expect(await videosOf(user._id)).toHaveLength(2)
})

test('a key belongs to one account, and to one video until it is deleted', async () => {
  const [ada, ines] = [await signUp(site), await signUp(site)]
  const first = await postWithKey(ada.client, 'a')
  expect(await postWithKey(ines.client, 'a')).not.toBe(first)
  await deleteOwnVideo(site.context, first, ada.user._id)
  expect(await postWithKey(ada.client, 'a')).not.toBe(first)
})

test('an upload that is undone leaves no event for a video that is gone', async () => {
  const { client, user } = await signUp(site)
  const webhook = { id: newId(), userId: user._id, isSite: false, secret: 'whsec_x', createdAt: new Date() }
  const events: WebhookEvent[] = ['video.published']
  await insertWebhook(site.db, { ...webhook, url: 'https://receiver.example', events }, 1)
  const { _id: videoId } = await upload(client, 'Glacier')
  const waiting = () =>
    site.db.selectFrom('webhookDeliveries').select('event').where('webhookId', '=', webhook.id).execute()
  expect(await waiting()).toHaveLength(1)
  await undoUpload(site.context, { videoId, ownerId: user._id })
  expect(await waiting()).toEqual([])
})

test('an upload whose video a repeated request has returned is not undone', async () => {
  const { client, user } = await signUp(site)
  const ownerId = user._id
  const { _id: videoId } = await upload(client, 'Glacier')
  const first = { ownerId, key: 'key', requestId: 'first' }
  await insertUploadRequest(site.db, { ...first, videoId })
  expect(await claimUploadRequest(site.db, { ...first, requestId: 'second' })).toBe(videoId)
  await undoUpload(site.context, { videoId, ...first })
  expect(await videosOf(ownerId)).toEqual([videoId])
  await undoUpload(site.context, { videoId, ...first, requestId: 'second' })
  expect(await videosOf(ownerId)).toEqual([])
})
