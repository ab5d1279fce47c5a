import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownName } from '../process-identity.ts'
import { LocalFileCache } from './local-file-cache.ts'
import { LocalStorage } from './local.ts'

/** Some objects of 1000 bytes, and a cache of them. */
async function createCache({ maxBytes, keys }: { maxBytes: number; keys: string[] }) {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-cache-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const objects = new LocalStorage(path.join(root, 'objects'))
  for (const key of keys) await objects.put(key, Buffer.alloc(1000, key))
  const directory = path.join(root, 'cache')
  const cache = new LocalFileCache({ directory, maxBytes }, objects)
  const names = async () => (await readdir(directory)).toSorted()
  return { cache, directory, names }
}

test('concurrent fetches leave no more than the limit to the next one', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  const { cache, names } = await createCache({ maxBytes: 2000, keys: [...keys, 'next'] })
  const files = await Promise.all(keys.map((key) => cache.open(key)))
  for (const [at, file] of files.entries()) {
    expect(await readFile(file?.path ?? '', 'latin1')).toBe((keys[at] ?? '').repeat(1000))
    await file?.[Symbol.asyncDispose]()
  }
  await (await cache.open('next'))?.[Symbol.asyncDispose]()
  expect(await names()).toHaveLength(2)
  expect(await names()).toContain('next')
})

test('files that only a user holds count', async () => {
  const { cache, names } = await createCache({ maxBytes: 2000, keys: ['a', 'b', 'c'] })
  const held = await cache.open('a')
  await cache.forget('a')
  for (const key of ['b', 'c']) await (await cache.open(key))?.[Symbol.asyncDispose]()
  expect(await names()).toEqual(['c', path.basename(held?.path ?? '')].toSorted())
})

test('what a killed process left is deleted, what a running one or another machine uses is not', async () => {
  const { cache, directory, names } = await createCache({ maxBytes: 9000, keys: ['a', 'b'] })
  await using held = await cache.open('a')
  const killed = ownName().replace(/^(\d+)-\d+/, '$1-1')
  const elsewhere = ownName().replace(/^(\d+-\d+)-\w+/, '$1-0123456789ab')
  for (const name of [`${killed}.part`, `${killed}.held`, `${elsewhere}.part`])
    await writeFile(path.join(directory, name), 'half')
  await (await cache.open('b'))?.[Symbol.asyncDispose]()
  expect(await names()).toEqual(['a', 'b', `${elsewhere}.part`, path.basename(held?.path ?? '')].toSorted())
})
