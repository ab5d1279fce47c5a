import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../../../scripts/chromium-path.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import {
  type ObjectStore,
  startObjectStore,
  whyNoObjectStore,
} from '@kinora/platform/testing/object-store.ts'
import { type Cluster, startCluster } from '../testing/servers/start-cluster.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { type TestResponse, TestClient } from '../testing/fixtures/test-client.ts'
import {
  append,
  begin,
  videoOf,
  offsetOf,
  publish,
  sourceOf,
  startPiece,
  upload,
} from '../testing/fixtures/test-uploads.ts'
import { signUpAt } from '../testing/fixtures/test-users.ts'

const megabyte = 1024 * 1024

/** Browser tests of each storage, so that each runs once. Those that read and write many files use the bucket. */
const browserTestsOf = {
  disk: ['channels', 'comments', 'dashboard', 'home', 'navigation', 'search', 'sessions'],
  bucket: ['profile', 'uploads', 'watch'],
}

const noObjectStore = whyNoObjectStore()
if (noObjectStore !== undefined) console.warn(`Skipped: ${noObjectStore}.`)

describe.each(noObjectStore === undefined ? (['disk', 'bucket'] as const) : (['disk'] as const))(
  'three web and two worker processes, storage: %s',
  (storage) => {
    let cluster: Cluster
    let store: ObjectStore | undefined
    beforeAll(async () => {
      store = storage === 'bucket' ? await startObjectStore() : undefined
      cluster = await startCluster({ bucket: await store?.createBucket() })
    }, 300_000)
    afterAll(async () => {
      await cluster.stop()
      await store?.stop()
    }, 120_000)

    /** Retries like a browser: only idempotent requests, with increasing pauses. */
    async function withRetries(
      send: () => Promise<TestResponse>,
      tally: { retries: number },
    ): Promise<TestResponse> {
      for (let attempt = 0; ; attempt += 1) {
        const response = await send().catch(() => undefined)
        if (response && response.status < 500) return response
        if (attempt >= 8) throw new Error(`the last response was ${response?.status} ${response?.text}`)
        tally.retries += 1
        await delay(250 * 2 ** Math.min(attempt, 4))
      }
    }

    const signUp = () => signUpAt(cluster.origin)

    test('a session is valid on all web processes until it ends on one', async () => {
      const { client } = await signUp()
      for (let round = 0; round < 6; round += 1)
        expect((await client.get('/api/v1/users/currentuser')).status).toBe(200)
      await client.post('/api/v1/users/logout')
      for (let round = 0; round < 6; round += 1)
        expect((await client.get('/api/v1/users/currentuser')).status).toBe(401)
    })

    test('any web process continues a resumable upload', async () => {
      const { client } = await signUp()
      const bytes = await drawClip('mp4')
      const path = await begin(client, bytes.length)
      const step = Math.ceil(bytes.length / 7)
      for (let offset = 0; offset < bytes.length; offset += step) {
        const response = await append(client, path, offset, bytes.subarray(offset, offset + step))
        expect([response.status, offset]).toEqual([204, offset])
      }
      expect((await publish(client, path)).status).toBe(201)
    })

    test('an upload continues with the stored bytes after its web process was killed', async () => {
      const { client } = await signUp()
      const [origin = ''] = cluster.webs
      await expect.poll(() => isReady(origin), { timeout: 60_000 }).toBe(true)
      const source = await videoOf(40 * megabyte)
      const path = await begin(client, source.length)
      const sending = startPiece(client.at(origin), path, 0, source.length)
      sending.write(source.subarray(0, 30 * megabyte))
      // Another process reports the offset, because the receiving one would end the request before it responds.
      const elsewhere = client.at(cluster.webs[1] ?? '')
      // In a bucket, 16 MiB are the first part of a multipart upload.
      await expect
        .poll(() => offsetOf(elsewhere, path), { timeout: 60_000 })
        .toBeGreaterThanOrEqual(16 * megabyte)
      const broken = new Promise((resolve) => sending.once('close', resolve))
      cluster.killWeb(0)
      await broken
      const offset = await offsetOf(elsewhere, path)
      expect(offset).toBeGreaterThanOrEqual(16 * megabyte)
      expect(offset).toBeLessThan(source.length)
      expect((await append(elsewhere, path, offset, source.subarray(offset))).status).toBe(204)
      const { status, body } = await publish(elsewhere, path)
      expect(status).toBe(201)
      expect((await sourceOf(client, body.data as Video)).equals(source)).toBe(true)
    })

    test('a missing segment is encoded once for concurrent requests to all web processes', async () => {
      const { client } = await signUp()
      const { _id: id } = await upload(
        client,
        'Requested everywhere',
        await drawClip('mp4 of twelve seconds'),
      )
      const master = (await client.get(`/media/videos/${id}/master.m3u8`)).text
      const playlist = master.split('\n').find((line) => line.endsWith('.m3u8') && !line.includes('/source/'))
      const segment = `/media/videos/${id}/${playlist?.replace('index.m3u8', '2.m4s')}`
      const responses = await Promise.all(
        cluster.webs.flatMap((origin) =>
          [1, 2].map(() => withRetries(() => new TestClient(origin).get(segment), { retries: 0 })),
        ),
      )
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
      expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(1)
      const runs = await withClient(cluster.databaseUrl, (database) =>
        database.query(
          "select from pgboss.job where name = 'playback.make_segment' and data->>'videoId' = $1",
          [id],
        ),
      )
      expect(runs.rowCount).toBe(1)
    })

    test('clients need nothing but retries while each process is killed in turn', async () => {
      const users = [await signUp(), await signUp(), await signUp()]
      const { _id: video } = await upload(
        users[0]?.client ?? new TestClient(cluster.origin),
        'Watched during failures',
      )
      const state = { isOver: false }
      const acknowledged: string[] = []
      const tally = { retries: 0, requests: 0 }
      const failures: unknown[] = []
      const useSite = async ({ client }: { client: TestClient }, user: number) => {
        for (let round = 0; !state.isOver; round += 1) {
          for (const path of [
            '/api/v1/video/all',
            '/api/v1/users/currentuser',
            `/media/videos/${video}/master.m3u8`,
          ]) {
            tally.requests += 1
            expect((await withRetries(() => client.get(path), tally)).status).toBe(200)
          }
          // Not idempotent, and thus not retried. A comment is stored whenever the response confirms it.
          const content = `${user}-${round}`
          const added = await client
            .post('/api/v1/comment/add', { videoId: video, content })
            .catch(() => undefined)
          if (added?.status === 201) acknowledged.push(content)
          await delay(20)
        }
      }
      const sessions = users.map((user, index) =>
        useSite(user, index).catch((error: unknown) => failures.push(error)),
      )
      const uploads: string[] = []
      for (const [index, kill] of [
        () => cluster.killWeb(0),
        () => cluster.killWorker(0),
        () => killDatabase(cluster),
        () => cluster.killWeb(2),
        () => cluster.killWorker(1),
      ].entries()) {
        await delay(700)
        kill()
        // A user uploads right after the failure, and retries until it succeeds.
        const { client } = users[index % users.length] ?? { client: new TestClient(cluster.origin) }
        for (let attempt = 0; uploads.length <= index && attempt < 40; attempt += 1) {
          const added = await upload(client, `After kill ${index}`).catch(() => undefined)
          if (added) uploads.push(added._id)
          else await delay(500)
        }
      }
      state.isOver = true
      await Promise.all(sessions)
      expect(failures).toEqual([])
      expect(uploads).toHaveLength(5)
      expect(tally.requests).toBeGreaterThan(20)

      const reader = new TestClient(cluster.origin)
      const stored = new Set<string>()
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
        const page = await reader.get(
          `/api/v1/comment/get/${video}${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
        )
        for (const { content } of page.body.data as { content: string }[]) stored.add(content)
        cursor = page.body.nextCursor
      }
      expect(acknowledged.filter((content) => !stored.has(content))).toEqual([])
      for (const id of uploads) {
        await expect
          .poll(
            async () =>
              ((await reader.get(`/api/v1/video/${id}`)).body.data as { processing: { state: string } }[])[0]
                ?.processing.state,
            { timeout: 120_000 },
          )
          .toBe('ready')
      }
      console.log(
        `${tally.requests} reads with ${tally.retries} retries, ${acknowledged.length} comments stored, 5 uploads`,
      )
    }, 400_000)

    test('no request fails while web processes are restarted one after the other', async () => {
      const { client } = await signUp()
      const state = { isOver: false }
      const statuses: number[] = []
      const useSite = async () => {
        while (!state.isOver) {
          statuses.push((await client.get('/api/v1/users/currentuser')).status)
          statuses.push((await client.get('/api/v1/video/all')).status)
        }
      }
      const clients = [useSite(), useSite()]
      for (const [index, origin] of cluster.webs.entries()) {
        cluster.restartWeb(index)
        await expect.poll(() => isReady(origin), { interval: 20, timeout: 60_000 }).toBe(false)
        await expect.poll(() => isReady(origin), { timeout: 60_000 }).toBe(true)
      }
      state.isOver = true
      await Promise.all(clients)
      expect(new Set(statuses)).toEqual(new Set([200]))
    }, 300_000)

    test('a video plays to its end in a browser while each process is killed in turn', async () => {
      const { client } = await signUp()
      const { _id: id } = await upload(
        client,
        'Played during failures',
        await drawClip('mp4 of twelve seconds'),
      )
      const browser = await chromium.launch({
        executablePath: chromiumPath(),
        args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
      })
      try {
        const page = await browser.newPage({ baseURL: cluster.origin })
        await page.goto(`/video/${id}`)
        const video = 'document.querySelector("video")'
        const seconds = () => page.evaluate<number>(`${video}.currentTime`)
        await page.locator('video').waitFor()
        await page.evaluate(`${video}.play()`)
        for (const [index, kill] of [
          () => cluster.killWeb(1),
          () => cluster.killWorker(0),
          () => cluster.killWeb(2),
          () => cluster.killWorker(1),
          () => cluster.killWeb(0),
        ].entries()) {
          await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThan(index * 2)
          kill()
        }
        await expect.poll(() => page.evaluate<boolean>(`${video}.ended`), { timeout: 60_000 }).toBe(true)
      } finally {
        await browser.close()
      }
    }, 400_000)

    test('the browser tests pass', async () => {
      await Promise.all(
        cluster.webs.map((origin) => expect.poll(() => isReady(origin), { timeout: 60_000 }).toBe(true)),
      )
      const root = join(import.meta.dirname, '../../..')
      const given = (process.env.BROWSER_TESTS ?? '').split(' ').filter(Boolean)
      const filters = given.length > 0 ? given : browserTestsOf[storage]
      const files = filters.map((name) => `e2e/${name}`)
      const child = spawn(join(root, 'node_modules/.bin/playwright'), ['test', ...files], {
        cwd: root,
        env: { ...process.env, BASE_URL: cluster.origin },
        stdio: 'inherit',
      })
      const [code] = await once(child, 'exit')
      expect(code).toBe(0)
    }, 1_800_000)
  },
)

async function isReady(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/readyz`).catch(() => undefined)
  await response?.text()
  return response?.ok ?? false
}

function killDatabase({ databaseDir }: Cluster): void {
  const lock = readFileSync(join(databaseDir, 'data/postmaster.pid'), 'utf8')
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
}
