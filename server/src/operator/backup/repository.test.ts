import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../testing/start-site.ts'
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

test('snapshots that are begun in one second are all kept, whether one after the other or at once', async () => {
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

test('what a killed process had begun is no snapshot, and stands in no way', async () => {
  const root = temporaryDirectory()
  await mkdir(join(root, `snapshots/${name}.part/tables`), { recursive: true })
  const repository = new Repository(root)
  expect(await repository.list()).toEqual([])
  await repository.write(name, async () => ({ manifest: manifestOf('whole'), files: null }))
  expect(await repository.list()).toEqual([`${name}-2`])
})
