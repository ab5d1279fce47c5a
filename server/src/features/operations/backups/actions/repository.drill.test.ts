import { copyFile, mkdir, readdir, rename, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LocalStorage } from '@kinora/platform/storage/local.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { type Manifest, Repository } from './repository.ts'

const name = '2026-01-01T00-00-00'

const manifestOf = (migration: string): Manifest => ({
  format: 1,
  madeAt: '2026-01-01T00:00:00.000Z',
  migrations: [migration],
  tables: [],
  files: null,
  missing: [],
})

test('snapshots that start within one second are all stored, in sequence and in parallel', async () => {
  const repository = new Repository(temporaryDirectory())
  const write = async (what: string) => {
    const { snapshot } = await repository.write(name, async (tables) => {
      await writeFile(join(tables, 'table'), what)
      return { manifest: manifestOf(what), files: null }
    })
    return snapshot
  }
  const made = [await write('first'), ...(await Promise.all([write('second'), write('third')]))]
  expect(await repository.list()).toEqual([name, `${name}-2`, `${name}-3`])
  const held = await Promise.all(
    made.map(async (snapshot) => (await repository.readManifest(snapshot)).migrations),
  )
  expect(held).toEqual([['first'], ['second'], ['third']])
})

test('an interrupted snapshot is not listed and does not block others', async () => {
  const root = temporaryDirectory()
  await mkdir(join(root, `snapshots/${name}.part/tables`), { recursive: true })
  const repository = new Repository(root)
  expect(await repository.list()).toEqual([])
  await repository.write(name, async () => ({ manifest: manifestOf('whole'), files: null }))
  expect(await repository.list()).toEqual([`${name}-2`])
})

test('the next backup deletes what a killed one left a day ago, and leaves one in progress alone', async () => {
  const root = temporaryDirectory()
  const repository = new Repository(root)
  const dayAgo = new Date(Date.now() - 25 * 3600 * 1000)
  for (const draft of ['abandoned.part', 'running.part']) {
    await mkdir(join(root, 'snapshots', draft, 'tables'), { recursive: true })
    await utimes(join(root, 'snapshots', draft), dayAgo, dayAgo)
  }
  await utimes(join(root, 'snapshots/abandoned.part/tables'), dayAgo, dayAgo)
  await repository.write(name, async () => ({ manifest: manifestOf('whole'), files: null }))
  expect((await readdir(join(root, 'snapshots'))).toSorted()).toEqual([name, 'running.part'])
})

describe('a file of the backup', () => {
  const key = 'sources/video/attempt'
  const content = Buffer.from('the uploaded bytes')

  /** A backup with one snapshot of one file, which shares no blocks with the storage. */
  async function backUpOneFile() {
    const storage = new LocalStorage(temporaryDirectory())
    await storage.put(key, content)
    const repository = new Repository(temporaryDirectory())
    const { file } = await repository.keep(storage, key, undefined)
    if (!file) throw new Error('the file was not kept')
    const target = repository.fileOf(key)
    await copyFile(target, `${target}.own`)
    await rename(`${target}.own`, target)
    await repository.write(name, async () => ({ manifest: manifestOf('whole'), files: [file] }))
    return { storage, repository, file, target }
  }

  test('is kept if it is intact', async () => {
    const { storage, repository, file } = await backUpOneFile()
    expect(await repository.keep(storage, key, file)).toEqual({ outcome: 'kept', file })
  })

  test.each([
    ['truncated', (target: string) => truncate(target, 3)],
    ['changed in one byte', (target: string) => writeFile(target, 'the uploaded bites')],
  ])('is copied from the storage again if it was %s', async (_, damage) => {
    const { storage, repository, file, target } = await backUpOneFile()
    await damage(target)
    expect(await repository.keep(storage, key, file)).toEqual({ outcome: 'repaired', file })
    expect(await repository.keep(storage, key, file)).toEqual({ outcome: 'kept', file })
  })

  test('keeps its recorded hash if it is damaged and the storage cannot replace it', async () => {
    const { storage, repository, file, target } = await backUpOneFile()
    await truncate(target, 3)
    await storage.put(key, Buffer.from('other bytes'))
    expect(await repository.keep(storage, key, file)).toEqual({ outcome: 'damaged', file })
    await storage.delete(key)
    expect(await repository.keep(storage, key, file)).toEqual({ outcome: 'damaged', file })
    expect(await repository.listSnapshotsWith(key)).toEqual([name])
  })

  test('is missing if neither backup nor storage has it', async () => {
    const repository = new Repository(temporaryDirectory())
    const storage = new LocalStorage(temporaryDirectory())
    expect(await repository.keep(storage, key, undefined)).toEqual({ outcome: 'missing' })
  })
})
