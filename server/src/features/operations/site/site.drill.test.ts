import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../../app/create-context.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createTestDatabase } from '@kinora/platform/testing/test-database.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { adoptStorage, probeStorage } from './actions.ts'

let site: TestApp
let stranger: TestApp

beforeAll(async () => {
  ;[site, stranger] = await Promise.all([createTestApp(), createTestApp()])
  await signUp(site)
  await signUp(stranger)
})
afterAll(() => Promise.all([site.close(), stranger.close()]))

/** Starts a process on the storage of `storage` and the database of `databaseUrl`. */
async function start(storage: TestApp, databaseUrl: string): Promise<void> {
  const process = await createContext(storage.context.config, databaseUrl, 'worker')
  await process.close()
}

const readiness = async () => {
  const { status, text } = await site.client().get('/readyz')
  return { status, storage: JSON.parse(text).checks.storage }
}

test('starts with the storage and the database of one site', async () => {
  await expect(start(site, site.databaseUrl)).resolves.toBeUndefined()
})

test('refuses to start with the storage of another site', async () => {
  await expect(start(site, stranger.databaseUrl)).rejects.toThrow('The storage belongs to another site.')
})

test('refuses to start with an empty database on a storage with files', async () => {
  const empty = await createTestDatabase()
  try {
    await expect(start(site, empty.url)).rejects.toThrow('The storage holds the files of another site.')
  } finally {
    await empty.drop()
  }
})

test('a full disk is no failure of the storage, other errors are', async () => {
  const failing = (code: string): TestApp['storage'] =>
    Object.assign(Object.create(site.storage) as TestApp['storage'], {
      put: () => Promise.reject(Object.assign(new Error(`${code}: write`), { code })),
    })
  await expect(probeStorage(failing('ENOSPC'))).resolves.toBeUndefined()
  await expect(probeStorage(failing('EROFS'))).rejects.toThrow('EROFS')
})

test('is not ready if the storage has lost its files, and does not adopt it', async () => {
  expect(await readiness()).toEqual({ status: 200, storage: 'ok' })
  const directory = join(site.context.config.dataDir, 'storage')
  await rm(directory, { recursive: true })
  expect((await readiness()).status).toBe(503)
  // an unmounted disk leaves an empty directory
  await mkdir(directory)
  const message = 'The storage of this site is missing or empty. Is its disk mounted?'
  expect(await readiness()).toEqual({ status: 503, storage: expect.stringContaining(message) })
  await expect(start(site, site.databaseUrl)).rejects.toThrow(message)
})

test('an adopted storage belongs to the database', async () => {
  await adoptStorage({ db: site.db, storage: site.storage })
  await expect(start(site, site.databaseUrl)).resolves.toBeUndefined()
})
