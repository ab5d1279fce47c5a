import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GrowingFile } from './growing-file.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kinora-growing-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** A buffer that owns its memory, like a chunk from the network. */
const chunkOf = (bytes: Buffer) => Buffer.from(new Uint8Array(bytes).buffer)

test('writes chunks in order and reports the written bytes', async () => {
  const bytes = randomBytes(9 * 2 ** 20)
  const grown: number[] = []
  const file = new GrowingFile(join(directory, 'whole'), (writtenBytes) => grown.push(writtenBytes))
  for (let at = 0; at < bytes.length; at += 100_001) {
    file.write(chunkOf(bytes.subarray(at, at + 100_001)))
    await file.room()
  }
  await file.end()
  expect((await readFile(file.path)).equals(bytes)).toBe(true)
  expect(grown.at(-1)).toBe(bytes.length)
  expect(grown).toEqual(grown.toSorted((a, b) => a - b))
})

test('applies back-pressure and frees the memory of written chunks', async () => {
  const file = new GrowingFile(join(directory, 'fast'), () => undefined)
  const own = chunkOf(randomBytes(5 * 2 ** 20))
  const shared = Buffer.alloc(2 ** 20)
  expect(file.room()).toBeUndefined()
  file.write(own)
  file.write(shared.subarray(0, 2 ** 19))
  await file.room()
  await file.end()
  expect([own.length, shared.length]).toEqual([0, 2 ** 20])
})

test('rejects when the file cannot be written', async () => {
  const file = new GrowingFile(join(directory, 'nowhere/file'), () => undefined)
  for (let count = 0; count < 5; count += 1) file.write(Buffer.alloc(2 ** 20))
  await expect(file.room()).rejects.toThrow('ENOENT')
  await expect(file.end()).rejects.toThrow('ENOENT')
  await file.discard()
})

test('leaves nothing when discarded at any time', async () => {
  const file = new GrowingFile(join(directory, 'given-up'), () => undefined)
  for (let count = 0; count < 20; count += 1) file.write(Buffer.alloc(2 ** 20))
  await file.discard()
  expect(existsSync(file.path)).toBe(false)
})
