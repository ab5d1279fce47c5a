import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LocalStorage } from '@kinora/platform/storage/local.ts'
import type { Body } from '@kinora/platform/storage/storage.ts'
import type { BucketSettings } from '@kinora/platform/testing/object-store.ts'
import { type Ran, spawnKinora } from '../testing/servers/run-kinora.ts'
import { runInProcess } from '../testing/fixtures/run-in-process.ts'
import { createTestApp, type TestApp } from '../testing/fixtures/test-app.ts'
import { createTestBucket, hasNoStore, keysBelow } from '@kinora/platform/testing/test-bucket.ts'
import type { TestClient } from '../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { videoOf, sourceOf, upload } from '../testing/fixtures/test-uploads.ts'
import { signUp } from '../testing/fixtures/test-users.ts'
import { addVideo } from '../testing/fixtures/test-videos.ts'
import { MoveJournal } from './move-journal.ts'
import { moveStorage } from './move-storage.ts'

const dieWhenVerified = path.join(import.meta.dirname, '../testing/servers/die-when-verified.ts')
/** More than two parts of a multipart upload. */
const largeBytes = 36 * 1024 * 1024

describe.skipIf(hasNoStore)('storage move, with an S3 server', () => {
  let onDisk: TestApp
  let inBucket: TestApp
  let bucket: BucketSettings
  let ines: TestClient
  let kept: Video

  beforeAll(async () => {
    bucket = await createTestBucket()
    onDisk = await createTestApp({ settings: { UPLOADS_PER_USER: '100' } })
    ines = (await signUp(onDisk, { username: 'ines' })).client
    kept = await upload(ines, 'Salt flats', await videoOf(largeBytes))
  })
  afterAll(async () => {
    await inBucket?.close()
    await onDisk.close()
  })

  const envOf = (site: TestApp) => ({
    ...bucket,
    DATA_DIR: site.context.config.dataDir,
    DATABASE_URL: site.databaseUrl,
    STORAGE_URL: site.context.config.storageUrl,
  })

  async function move(site: TestApp, from: string, to: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return runInProcess(['storage', 'move', from, to, '--json'], { ...envOf(site), ...env })
  }

  /** Starts a move and kills it once it has verified an object. */
  async function moveAndKill(site: TestApp, from: string, to: string, env: NodeJS.ProcessEnv = {}) {
    const child = spawnKinora(['storage', 'move', from, to], { ...envOf(site), ...env }, dieWhenVerified)
    child.stdout.resume()
    child.stderr.resume()
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
    expect(await journalIn(env['DATA_DIR'] ?? site.context.config.dataDir)).toContain('verified ')
  }

  /** Uploads and deletes videos until `work` is done. */
  async function whileBusy<T>(site: TestApp, work: () => Promise<T>): Promise<T> {
    const state = { isOver: false }
    const busy = (async () => {
      for (let count = 1; !state.isOver; count += 1) {
        const { _id } = await upload(ines.at(site.origin), `Busy ${count}`)
        if (count % 2 === 0) await ines.at(site.origin).delete(`/api/v1/video/${_id}`)
      }
    })()
    try {
      return await work()
    } finally {
      state.isOver = true
      await busy
    }
  }

  test('moves a site into a bucket and back during uploads, and after a kill', async () => {
    const url = bucket.STORAGE_URL
    const rotten = await upload(ines, 'On the disk')
    const target = await createTestApp({ settings: bucket, databaseUrl: onDisk.databaseUrl })
    inBucket = target
    // of the right size, and not what it should be: what a move did not verify itself it does not believe
    const [rottenKey = ''] = await keysBelow(onDisk.storage, `sources/${rotten._id}/`)
    const size = (await onDisk.storage.head(rottenKey))?.sizeBytes ?? 0
    await target.storage.put(rottenKey, randomBytes(size))

    await whileBusy(onDisk, async () => {
      await moveAndKill(onDisk, 'disk', url)
      const goesOn = await move(onDisk, 'disk', url)
      expect(goesOn).toMatchObject({ exitCode: 0, json: { missing: [], isSwitched: false } })
      expect(goesOn.json.already).toBeGreaterThan(0)
    })
    expect(await move(onDisk, 'disk', url)).toMatchObject({ exitCode: 0, json: { isComplete: true } })
    expect(await contentOf(target)).toEqual(await contentOf(onDisk))
    expect(await sourceOf(target.client(), kept)).toHaveLength(largeBytes)

    // the site is switched: what is deleted there stays deleted, what is new there stays
    const late = await upload(ines, 'On the disk')
    const added = await upload(ines.at(target.origin), 'In the bucket')
    await ines.at(target.origin).delete(`/api/v1/video/${rotten._id}`)
    const last = await move(target, 'disk', url, { DATA_DIR: onDisk.context.config.dataDir })
    expect(last).toMatchObject({ exitCode: 0, json: { isComplete: true, isSwitched: true, missing: [] } })
    expect(last.json.deleted).toBeGreaterThan(0)
    expect(await keysBelow(target.storage, `sources/${rotten._id}/`)).toEqual([])
    for (const video of [late, added])
      expect((await sourceOf(target.client(), video)).equals(await drawClip('mp4'))).toBe(true)

    // the way back, to another disk
    const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-moved-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const back = { DATA_DIR: dataDir }
    await whileBusy(target, async () => {
      await moveAndKill(target, url, 'disk', back)
      expect(await move(target, url, 'disk', back)).toMatchObject({ exitCode: 0 })
    })
    const done = await move(target, url, 'disk', { ...back, STORAGE_URL: '' })
    expect(done).toMatchObject({ exitCode: 0, json: { isComplete: true, isSwitched: true, missing: [] } })
    expect(await contentOf({ ...target, storage: new LocalStorage(path.join(dataDir, 'storage')) })).toEqual(
      await contentOf(target),
    )
  }, 600_000)

  test('reports invalid arguments and files that both storages lack', async () => {
    const site = await createTestApp()
    onTestFinished(() => site.close())
    const { user } = await signUp(site)
    const lost = await addVideo(site, user._id)
    const empty = await createTestBucket()
    const found = await move(site, 'disk', empty.STORAGE_URL)
    expect(found).toMatchObject({ exitCode: 1, json: { isComplete: true, copied: expect.any(Number) } })
    expect(found.json.missing).toContain(`sources/${lost}/attempt1`)
    const refusals = [
      await move(site, 'disk', 'disk'),
      await move(site, 'disk', '/mnt/elsewhere'),
      await move(site, 'disk', empty.STORAGE_URL, { AWS_SECRET_ACCESS_KEY: '' }),
      await move(site, 'disk', empty.STORAGE_URL.replace('kinora-', 'not-there-')),
    ]
    expect(refusals.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1])
    expect(refusals.map(({ json }) => json.error)).toEqual([
      expect.stringContaining('the same'),
      expect.stringContaining('is not a storage. Use disk'),
      expect.stringContaining('AWS_SECRET_ACCESS_KEY'),
      expect.stringContaining('does not exist'),
    ])
  })
})

test('ends the move and deletes the copy if an object reads back differently', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-move-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const site = await createTestApp()
  onTestFinished(() => site.close())
  await signUp(site)
  const to = new RottingDisk(path.join(directory, 'storage'))
  await using journal = await MoveJournal.open(directory, ['here', 'there'])
  const places = { databaseUrl: site.databaseUrl, from: site.storage, to, journal }
  await expect(moveStorage(places, () => undefined)).rejects.toThrow('different bytes')
  expect(await keysBelow(to, 'pictures/')).toEqual([])
  expect(await journalIn(directory)).not.toContain('verified ')
})

/** A storage that returns corrupted bytes. */
class RottingDisk extends LocalStorage {
  override async put(key: string, body: Body): Promise<void> {
    const bytes = await buffer(body as Readable)
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
    await super.put(key, bytes)
  }
}

/** Returns every object that a row references, with its bytes. */
async function contentOf({ db, storage }: Pick<TestApp, 'db' | 'storage'>): Promise<Map<string, string>> {
  const videos = await db.selectFrom('videos').select(['sourceKey', 'thumbnail']).execute()
  const users = await db.selectFrom('users').select('avatar').execute()
  const pictures = [...videos.map(({ thumbnail }) => thumbnail), ...users.map(({ avatar }) => avatar)]
  const content = new Map<string, string>()
  const prefixes = pictures.map((id) => `pictures/${id}/`)
  const keys = (await Promise.all(prefixes.map((prefix) => keysBelow(storage, prefix)))).flat()
  for (const key of [...keys, ...videos.map(({ sourceKey }) => sourceKey)].toSorted()) {
    const found = await storage.get(key)
    const bytes = found && (await buffer(found.body))
    content.set(key, bytes ? createHash('sha256').update(bytes).digest('hex') : 'missing')
  }
  return content
}

async function journalIn(dataDir: string): Promise<string> {
  const name = (await readdir(dataDir)).find((file) => file.startsWith('storage-move-'))
  return name ? readFile(path.join(dataDir, name), 'utf8') : ''
}
