import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listAuditLog } from '@kinora/contract/operations/administration.ts'
import { createBackup, listBackups, verifyBackup } from '@kinora/contract/operations/backups.ts'
import { expect, onTestFinished, test } from 'vitest'
import { LocalStorage } from '@kinora/platform/storage/local.ts'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { backUp } from './actions/back-up.ts'
import { Repository } from './actions/repository.ts'

/** A storage that does something during its second list: when a backup has kept files and no snapshot has them yet. */
class InterruptedStorage extends LocalStorage {
  readonly #interrupt: () => Promise<void>
  #lists = 0

  constructor(root: string, interrupt: () => Promise<void>) {
    super(root)
    this.#interrupt = interrupt
  }

  override async *list(prefix: string) {
    this.#lists += 1
    if (this.#lists === 2) await this.#interrupt()
    yield* super.list(prefix)
  }
}

test('deletes no file that a running backup has kept', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { databaseUrl } = site
  const root = join(site.context.config.dataDir, 'storage')
  const repository = new Repository(temporaryDirectory())
  const back = (storage: LocalStorage) =>
    backUp({ databaseUrl, storage, repository }, new Date(), () => undefined)
  await signUp(site)
  await back(new LocalStorage(root))
  await back(new LocalStorage(root))
  await signUp(site)
  const pruned: unknown[] = []
  const running = new InterruptedStorage(root, async () => void pruned.push(await repository.prune(1)))
  const { snapshot, files } = await back(running)
  const lost: string[] = []
  for await (const { key } of repository.readFiles(snapshot))
    if (!existsSync(repository.fileOf(key))) lost.push(key)
  expect({ pruned, lost }).toEqual({ pruned: [undefined], lost: [] })
  expect(files).toBeGreaterThan(0)
  expect(await repository.prune(1)).toMatchObject({ snapshots: 2 })
})

test('leaves files out that the storage only refers to, and says so', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const root = join(site.context.config.dataDir, 'storage')
  const { user } = await signUp(site)
  await addVideo(site, user._id, { sourceKey: 'sources/tide/1' })
  const tide = join(temporaryDirectory(), 'tide.mp4')
  await writeFile(tide, 'a tide')
  await mkdir(join(root, 'sources/tide'), { recursive: true })
  await symlink(tide, join(root, 'sources/tide/1'))
  const repository = new Repository(temporaryDirectory())
  const sources = { databaseUrl: site.databaseUrl, storage: new LocalStorage(root), repository }
  const { references, missing } = await backUp(sources, new Date(), () => undefined)
  expect({ references, missing: missing.filter((key) => key.startsWith('sources/')) }).toEqual({
    references: 1,
    missing: [],
  })
})

test('an administrator backs the site up and verifies a backup, which no browser can fetch', async () => {
  const site = await createTestApp({ worker: true })
  onTestFinished(() => site.close())
  site.context.config.databaseUrl = site.databaseUrl
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const state = () => client.call(listBackups, {})
  const ended = async () => {
    await expect.poll(async () => (await state()).isRunning, { timeout: 100_000 }).toBe(false)
    return state()
  }
  expect(await state()).toMatchObject({ run: null, backups: [] })

  const start = () => client.post(`/api/v1${createBackup.path}`)
  const statuses = (await Promise.all([start(), start(), start()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  expect(statuses).toContain(200)
  const { backups, run, directory } = await ended()
  expect(run).toMatchObject({ kind: 'create', problems: [], endedAt: expect.any(String) })
  expect(backups).toMatchObject([{ isUsable: true, missing: 0 }])
  const name = backups[0]?.name ?? ''
  await client.call(verifyBackup, { params: { backup: name } })
  expect((await ended()).run).toMatchObject({ kind: 'verify', problems: [] })

  await writeFile(join(directory, 'snapshots', name, 'manifest.json'), '{')
  expect((await state()).backups).toMatchObject([{ name, isUsable: false }])
  await client.call(verifyBackup, { params: { backup: name } })
  expect((await ended()).run?.problems).toEqual([expect.stringContaining('cannot be used')])
  await expect(client.call(verifyBackup, { params: { backup: '..' } })).rejects.toMatchObject({ status: 404 })
  const { entries } = await client.call(listAuditLog, { query: { text: '_backup' } })
  expect(entries.map(({ action }) => action)).toEqual(['verify_backup', 'verify_backup', 'create_backup'])
  for (const path of [`/media/backups/${name}/manifest.json`, `/api/v1/administration/backups/${name}`])
    expect((await client.get(path)).status).toBe(404)
}, 240_000)
