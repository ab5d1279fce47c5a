import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../create-context.ts'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { createTestDatabase } from '../../testing/fixtures/test-database.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'
import { adoptStorage } from './actions.ts'

let site: TestApp
let stranger: TestApp

beforeAll(async () => {
  ;[site, stranger] = await Promise.all([createTestApp(), createTestApp()])
  await signUp(site)
  await signUp(stranger)
})
afterAll(() => Promise.all([site.close(), stranger.close()]))

/** Starts another process on the storage of `storage` and the database of `databaseUrl`. */
async function start(storage: TestApp, databaseUrl: string): Promise<void> {
  const process = await createContext(storage.context.config, databaseUrl, 'worker')
  await process.close()
}

const readiness = async () => {
  const { status, text } = await site.client().get('/readyz')
  return { status, storage: JSON.parse(text).checks.storage }
}

test('a start with the storage and the database of one site succeeds', async () => {
  await expect(start(site, site.databaseUrl)).resolves.toBeUndefined()
})

test('a start with the storage of another site is refused', async () => {
  await expect(start(site, stranger.databaseUrl)).rejects.toThrow('The storage belongs to another site.')
})

test('a start with an empty database on a storage with files is refused', async () => {
  const empty = await createTestDatabase()
  try {
    await expect(start(site, empty.url)).rejects.toThrow('The storage holds the files of another site.')
  } finally {
    await empty.drop()
  }
})

test('a storage that has lost its files makes the site unready and is not taken for a new one', async () => {
  expect(await readiness()).toEqual({ status: 200, storage: 'ok' })
  const directory = join(site.context.config.dataDir, 'storage')
  await rm(directory, { recursive: true })
  expect((await readiness()).status).toBe(503)
  // what is left when the disk of this directory is not mounted
  await mkdir(directory)
  const message = 'The storage of this site is missing or empty. Is its disk mounted?'
  expect(await readiness()).toEqual({ status: 503, storage: expect.stringContaining(message) })
  await expect(start(site, site.databaseUrl)).rejects.toThrow(message)
})

test('a storage that is adopted belongs to the database from then on', async () => {
  await adoptStorage({ db: site.db, storage: site.storage })
  await expect(start(site, site.databaseUrl)).resolves.toBeUndefined()
})
