import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Video } from '@kinora/contract/videos.ts'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../../../scripts/chromium-path.ts'
import { withClient } from '../platform/db/client.ts'
import { type ObjectStore, startObjectStore, whyNoObjectStore } from '../testing/servers/object-store.ts'
import { type Cluster, startCluster } from '../testing/servers/start-cluster.ts'
import { drawClip } from '../testing/fixtures/test-clips.ts'
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
import { registrationForm, testPassword } from '../testing/fixtures/test-users.ts'

const megabyte = 1024 * 1024

/** Every journey but that through the looks, once: those that files have a part in with the bucket. */
const journeysOf = {
  disk: ['channels', 'comments', 'dashboard', 'home', 'navigation', 'search', 'sessions', 'watch'],
  bucket: ['playback', 'profile', 'uploads'],
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
      cluster = await startCluster(await store?.createBucket())
    }, 300_000)
    afterAll(async () => {
      await cluster.stop()
      await store?.stop()
    }, 120_000)

    /** Asks again like a browser: only what may be asked twice, and a little later each time. */
    async function patiently(
      ask: () => Promise<TestResponse>,
      tally: { retries: number },
    ): Promise<TestResponse> {
      for (let attempt = 0; ; attempt += 1) {
        const answer = await ask().catch(() => undefined)
        if (answer && answer.status < 500) return answer
        if (attempt >= 8) throw new Error(`no answer but ${answer?.status} ${answer?.text}`)
        tally.retries += 1
        await delay(250 * 2 ** Math.min(attempt, 4))
      }
    }

    async function signUp(): Promise<{ client: TestClient; username: string }> {
      const client = new TestClient(cluster.origin)
      const form = await registrationForm()
      const username = String(form.get('username'))
      expect((await client.post('/api/v1/users/register', form)).status).toBe(201)
      expect((await client.post('/api/v1/users/login', { username, password: testPassword })).status).toBe(
        200,
      )
      return { client, username }
    }

    test('a session that began on one web process holds on all, and ends on all', async () => {
      const { client } = await signUp()
      for (let round = 0; round < 6; round += 1)
        expect((await client.get('/api/v1/users/currentuser')).status).toBe(200)
      await client.post('/api/v1/users/logout')
      for (let round = 0; round < 6; round += 1)
        expect((await client.get('/api/v1/users/currentuser')).status).toBe(401)
    })

    test('a resumable upload goes on at whichever web process the next piece meets', async () => {
      const { client } = await signUp()
      const bytes = await drawClip('mp4')
      const path = await begin(client, bytes.length)
      const step = Math.ceil(bytes.length / 7)
      for (let offset = 0; offset < bytes.length; offset += step) {
        const answer = await append(client, path, offset, bytes.subarray(offset, offset + step))
        expect([answer.status, offset]).toEqual([204, offset])
      }
      expect((await publish(client, path)).status).toBe(201)
    })

    test('a web process killed in the middle of a piece costs its sender a part of it, and the film is whole', async () => {
      const { client } = await signUp()
      const [origin = ''] = cluster.webs
      await expect.poll(() => isReady(origin), { timeout: 60_000 }).toBe(true)
      const film = await videoOf(40 * megabyte)
      const path = await begin(client, film.length)
      const sending = startPiece(client.at(origin), path, 0, film.length)
      sending.write(film.subarray(0, 30 * megabyte))
      // asked at another one: who has the piece would end it to answer
      const elsewhere = client.at(cluster.webs[1] ?? '')
      // in a bucket this is the first part, and the second is on its way
      await expect
        .poll(() => offsetOf(elsewhere, path), { timeout: 60_000 })
        .toBeGreaterThanOrEqual(16 * megabyte)
      const broken = new Promise((resolve) => sending.once('close', resolve))
      cluster.killWeb(0)
      await broken
      const offset = await offsetOf(elsewhere, path)
      expect(offset).toBeGreaterThanOrEqual(16 * megabyte)
      expect(offset).toBeLessThan(film.length)
      expect((await append(elsewhere, path, offset, film.subarray(offset))).status).toBe(204)
      const { status, body } = await publish(elsewhere, path)
      expect(status).toBe(201)
      expect((await sourceOf(client, body.data as Video)).equals(film)).toBe(true)
    })

    test('a missing segment that all web processes are asked for is made once', async () => {
      const { client } = await signUp()
      const { _id: id } = await upload(client, 'Asked for at once', await drawClip('mp4 of twelve seconds'))
      const master = (await client.get(`/media/videos/${id}/master.m3u8`)).text
      const rung = master.split('\n').find((line) => line.endsWith('.m3u8') && !line.includes('/source/'))
      const segment = `/media/videos/${id}/${rung?.replace('index.m3u8', '2.m4s')}`
      const answers = await Promise.all(
        cluster.webs.flatMap((origin) =>
          [1, 2].map(() => patiently(() => new TestClient(origin).get(segment), { retries: 0 })),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
      const runs = await withClient(cluster.databaseUrl, (database) =>
        database.query(
          "select from pgboss.job where name = 'playback.make_segment' and data->>'videoId' = $1",
          [id],
        ),
      )
      expect(runs.rowCount).toBe(1)
    })

    test('any one process is killed in the middle, and nobody notices more than a retry', async () => {
      const people = [await signUp(), await signUp(), await signUp()]
      const { _id: video } = await upload(
        people[0]?.client ?? new TestClient(cluster.origin),
        'Watched while things break',
      )
      const state = { isOver: false }
      const acknowledged: string[] = []
      const tally = { retries: 0, asked: 0 }
      const failures: unknown[] = []
      const live = async ({ client }: { client: TestClient }, who: number) => {
        for (let round = 0; !state.isOver; round += 1) {
          for (const path of [
            '/api/v1/video/all',
            '/api/v1/users/currentuser',
            `/media/videos/${video}/master.m3u8`,
          ]) {
            tally.asked += 1
            expect((await patiently(() => client.get(path), tally)).status).toBe(200)
          }
          // a comment is not sent twice: it is there exactly when it was answered with success
          const content = `${who}-${round}`
          const said = await client
            .post('/api/v1/comment/add', { videoId: video, content })
            .catch(() => undefined)
          if (said?.status === 201) acknowledged.push(content)
          await delay(20)
        }
      }
      const lives = people.map((person, who) =>
        live(person, who).catch((error: unknown) => failures.push(error)),
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
        // somebody uploads at the worst moment, and tries again until it is answered
        const { client } = people[index % people.length] ?? { client: new TestClient(cluster.origin) }
        for (let attempt = 0; uploads.length <= index && attempt < 40; attempt += 1) {
          const added = await upload(client, `After kill ${index}`).catch(() => undefined)
          if (added) uploads.push(added._id)
          else await delay(500)
        }
      }
      state.isOver = true
      await Promise.all(lives)
      expect(failures).toEqual([])
      expect(uploads).toHaveLength(5)
      expect(tally.asked).toBeGreaterThan(20)

      const reader = new TestClient(cluster.origin)
      const kept = new Set<string>()
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
        const page = await reader.get(
          `/api/v1/comment/get/${video}${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
        )
        for (const { content } of page.body.data as { content: string }[]) kept.add(content)
        cursor = page.body.nextCursor
      }
      expect(acknowledged.filter((content) => !kept.has(content))).toEqual([])
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
        `${tally.asked} reads with ${tally.retries} retries, ${acknowledged.length} comments kept, 5 uploads`,
      )
    }, 400_000)

    test('web processes are restarted one after the other, and nobody has to ask twice', async () => {
      const { client } = await signUp()
      const state = { isOver: false }
      const asked: number[] = []
      const life = async () => {
        while (!state.isOver) {
          asked.push((await client.get('/api/v1/users/currentuser')).status)
          asked.push((await client.get('/api/v1/video/all')).status)
        }
      }
      const lives = [life(), life()]
      for (const [index, origin] of cluster.webs.entries()) {
        cluster.restartWeb(index)
        await expect.poll(() => isReady(origin), { interval: 20, timeout: 60_000 }).toBe(false)
        await expect.poll(() => isReady(origin), { timeout: 60_000 }).toBe(true)
      }
      state.isOver = true
      await Promise.all(lives)
      expect(new Set(asked)).toEqual(new Set([200]))
    }, 300_000)

    test('a film plays to its end in a browser while each process is killed in turn', async () => {
      const { client } = await signUp()
      const { _id: id } = await upload(
        client,
        'Played while things break',
        await drawClip('mp4 of twelve seconds'),
      )
      const browser = await chromium.launch({
        executablePath: chromiumPath(),
        args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
      })
      try {
        const page = await browser.newPage({ baseURL: cluster.origin })
        await page.goto(`/video/${id}`)
        const film = 'document.querySelector("video")'
        const seconds = () => page.evaluate<number>(`${film}.currentTime`)
        await page.locator('video').waitFor()
        await page.evaluate(`${film}.play()`)
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
        await expect.poll(() => page.evaluate<boolean>(`${film}.ended`), { timeout: 60_000 }).toBe(true)
      } finally {
        await browser.close()
      }
    }, 400_000)

    test('the browser journeys pass', async () => {
      await Promise.all(
        cluster.webs.map((origin) => expect.poll(() => isReady(origin), { timeout: 60_000 }).toBe(true)),
      )
      const root = join(import.meta.dirname, '../../..')
      const given = (process.env.JOURNEYS ?? '').split(' ').filter(Boolean)
      const filters = given.length > 0 ? given : journeysOf[storage]
      const child = spawn(join(root, 'node_modules/.bin/vitest'), ['run', '--project', 'e2e', ...filters], {
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
  const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
  await answer?.text()
  return answer?.ok ?? false
}

function killDatabase({ databaseDir }: Cluster): void {
  const lock = readFileSync(join(databaseDir, 'data/postmaster.pid'), 'utf8')
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
}
