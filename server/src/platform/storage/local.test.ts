import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { LocalStorage } from './local.ts'

test('what is being written is kept apart from objects, and is gone when writing fails', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-storage-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const storage = new LocalStorage(directory)
  const seen: string[][] = []
  const files = async () => {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(directory, entry.parentPath))
  }
  async function* half(): AsyncGenerator<Buffer> {
    yield Buffer.from('half')
    seen.push(await files())
    throw new Error('the sender is gone')
  }
  await expect(storage.put('pictures/a/1.jpg', Readable.from(half()))).rejects.toThrow('gone')
  expect(seen).toEqual([['.drafts']])
  expect(await files()).toEqual([])

  await storage.put('pictures/a/1.jpg', Buffer.from('whole'))
  expect(await files()).toEqual(['pictures/a'])
})
