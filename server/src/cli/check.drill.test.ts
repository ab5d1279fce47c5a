import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '@kinora/platform/db/client.ts'
import { runInProcess } from '../testing/fixtures/run-in-process.ts'
import { createTestApp } from '../testing/fixtures/test-app.ts'
import { upload } from '../testing/fixtures/test-uploads.ts'
import { signUp } from '../testing/fixtures/test-users.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

const lastYear = new Date(Date.now() - 365 * 24 * 3600 * 1000)

interface Row {
  id: string
  source_key: string
  thumbnail: string
  avatar: string
}

/** The tests share a site, in this order: each leaves it as the next one needs it. */
let site: Awaited<ReturnType<typeof createWithVideo>>

beforeAll(async () => {
  site = await createWithVideo()
})
afterAll(() => site.close())

/** A site with one account and one video. */
async function createWithVideo() {
  const app = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
  const { client } = await signUp(app)
  await upload(client, 'Glacier')
  const { dataDir } = app.context.config
  const query = async (sql: string) =>
    withClient(app.databaseUrl, async (db) => (await db.query(sql)).rows as Row[])
  const [row] = await query(
    'select v.id, v.source_key, v.thumbnail, u.avatar from videos v join users u on u.id = v.owner_id',
  )
  if (!row) throw new Error('The upload has no row')
  return {
    dataDir,
    row,
    query,
    client,
    close: () => app.close(),
    fileOf: (key: string) => join(dataDir, 'storage', key),
    run: (...args: string[]) => runInProcess(args, { DATA_DIR: dataDir, DATABASE_URL: app.databaseUrl }),
  }
}

/** Replaces a file with other bytes, without changing its hard link in the backup. */
async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  await rm(file, { force: true })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes)
}

test('restore refuses a backup that lacks a file, and --skip-missing restores the rest and names it', async () => {
  const { row, run } = site
  const directory = temporaryDirectory()
  expect((await run('backup', directory)).exitCode).toBe(0)
  await rm(join(directory, 'files', row.source_key))
  const dataDir = temporaryDirectory()
  const elsewhere = (...args: string[]) =>
    runInProcess(['restore', directory, ...args], { DATA_DIR: dataDir })
  expect(await elsewhere()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('is missing') })
  const restored = await elsewhere('--replace', '--skip-missing', '--json')
  expect(restored).toMatchObject({ exitCode: 1, json: { skipped: [{ key: row.source_key }] } })
  expect(await runInProcess(['stats', '--json'], { DATA_DIR: dataDir })).toMatchObject({
    exitCode: 0,
    json: { videos: 1 },
  })
})

test('check finds a flipped byte, a missing picture, leftovers and wrong counts, and repairs them from the backup', async () => {
  const { row, query, fileOf, run } = site
  expect(await run('check')).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('nothing is wrong'),
  })
  expect((await run('backup')).exitCode).toBe(0)

  const source = fileOf(row.source_key)
  const intact = await readFile(source)
  const flipped = Buffer.from(intact)
  flipped[flipped.length - 10] = (flipped.at(-10) ?? 0) ^ 1
  await replaceFile(source, flipped)
  await rm(fileOf(`pictures/${row.thumbnail}`), { recursive: true })
  const leftovers = ['sources/gone/attempt', 'pictures/gone/320.jpg', 'segments/gone/1/240/0.m4s'].map(fileOf)
  for (const file of leftovers) {
    await replaceFile(file, Buffer.from('x'))
    await utimes(file, lastYear, lastYear)
  }
  await replaceFile(fileOf('sources/coming/attempt'), Buffer.from('x'))
  await query(`update videos set likes_count = 99; update users set subscribers_count = 7`)

  const kinds = (found: { kind: string }[]) => found.map(({ kind }) => kind).sort()
  const quick = await run('check', '--json')
  expect(quick.exitCode).toBe(1)
  expect(kinds(quick.json.shown)).toEqual([
    'counter',
    'counter',
    'leftover',
    'leftover',
    'leftover',
    'missing',
  ])
  const full = await run('check', '--hashes', '--json')
  expect(kinds(full.json.shown)).toContain('damaged')
  expect(await readFile(source)).toEqual(flipped)

  const repaired = await run('check', '--hashes', '--repair')
  expect(repaired).toMatchObject({ exitCode: 0, output: expect.stringContaining('all repaired') })
  expect(await readFile(source)).toEqual(intact)
  expect(existsSync(fileOf(`pictures/${row.thumbnail}/320.webp`))).toBe(true)
  await expect.poll(() => leftovers.filter((file) => existsSync(file)), { timeout: 60_000 }).toEqual([])
  expect(existsSync(fileOf('sources/coming/attempt'))).toBe(true)
  expect(await query('select likes_count, subscribers_count from videos, users')).toEqual([
    { likes_count: 0, subscribers_count: 0 },
  ])
  expect(await run('check', '--hashes')).toMatchObject({ exitCode: 0 })
})

test('check --repair without a backup draws thumbnails from the video and keeps naming a missing source', async () => {
  const { dataDir, row, client, fileOf, run } = site
  await rm(join(dataDir, 'backups'), { recursive: true })
  for (const id of [row.thumbnail, row.avatar]) await rm(fileOf(`pictures/${id}`), { recursive: true })
  const repaired = await run('check', '--repair', '--json')
  expect(repaired).toMatchObject({ exitCode: 0, json: { problems: 2, repaired: 2 } })
  const { body } = await client.get('/api/v1/users/currentuser')
  expect((await client.fetch((body.data as { avatar: string }).avatar)).status).toBe(200)
  expect(await run('check')).toMatchObject({ exitCode: 0 })

  await rm(fileOf(row.source_key))
  expect(await run('check', '--repair', '--json')).toMatchObject({
    exitCode: 1,
    json: { ok: false, shown: [{ kind: 'missing', subject: row.source_key }] },
  })
})
