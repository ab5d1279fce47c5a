import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ByteRange, Storage } from './storage.ts'

/** More than two of the parts in which large objects are sent. */
const largeBytes = 36 * 1024 * 1024 + 12_345
/** Later than every upload of the test. */
const inOneMinute = () => new Date(Date.now() + 60_000)

/** Conformance tests of every storage. `leftovers` counts unfinished writes. */
export function testStorage(
  name: string,
  create: () => Promise<{ storage: Storage; leftovers: () => Promise<number> }>,
): void {
  describe(`storage ${name}`, () => {
    let storage: Storage
    let leftovers: () => Promise<number>
    let directory: string
    const large = randomBytes(largeBytes)

    beforeAll(async () => {
      ;({ storage, leftovers } = await create())
      directory = await mkdtemp(path.join(tmpdir(), 'kinora-storage-'))
    })
    afterAll(async () => {
      await storage.close()
      await rm(directory, { recursive: true, force: true })
    })

    const fileOf = async (bytes: Uint8Array) => {
      const file = path.join(directory, randomBytes(6).toString('hex'))
      await writeFile(file, bytes)
      return file
    }
    const read = async (key: string, range?: ByteRange) => {
      const found = await storage.get(key, range)
      return found && buffer(found.body)
    }
    const keysBelow = async (prefix: string) => {
      const keys = []
      for await (const { key } of storage.list(prefix)) keys.push(key)
      return keys
    }

    test('putOnce keeps the first object, also with concurrent writers', async () => {
      const bodies = Array.from({ length: 8 }, (_, i) => Buffer.from(`body ${i}`))
      await Promise.all(bodies.map((body) => storage.putOnce('once/a', body)))
      const first = await read('once/a')
      expect(bodies.map(String)).toContain(String(first))
      await storage.putOnce('once/a', Buffer.from('later'))
      expect(await read('once/a')).toEqual(first)
      await storage.put('once/a', Buffer.from('instead'))
      expect(String(await read('once/a'))).toBe('instead')
      await storage.delete('once/a')
      await storage.putOnce('once/a', Buffer.from('again'))
      expect(String(await read('once/a'))).toBe('again')
      expect(await leftovers()).toBe(0)
      await storage.delete('once/a')
    })

    test.each([
      ['no bytes', () => Buffer.alloc(0)],
      ['a few bytes', () => Buffer.from('picture')],
      ['more than two parts', () => large],
    ])('stores %s from bytes, a stream and a file', { timeout: 240_000 }, async (size, bytes) => {
      const key = `bytes/${createHash('sha1').update(size).digest('hex')}`
      const isSame = async () => (await read(key))?.equals(bytes())
      await storage.put(key, bytes())
      expect(await isSame()).toBe(true)
      await storage.delete(key)
      await storage.put(key, Readable.from(inChunks(bytes())))
      expect(await isSame()).toBe(true)
      await storage.delete(key)
      const file = await fileOf(bytes())
      await storage.put(key, { file })
      expect(await isSame()).toBe(true)
      await expect(stat(file)).rejects.toThrow('ENOENT')
      expect((await storage.head(key))?.sizeBytes).toBe(bytes().length)
    })

    test('stores a file that grows while it is sent', { timeout: 240_000 }, async () => {
      const file = await fileOf(Buffer.alloc(0))
      const growing = await open(file, 'a')
      await using streaming = storage.putWhileReceiving('streaming/complete')
      for (let at = 0; at < large.length; at += 5_000_000) {
        await growing.write(large.subarray(at, at + 5_000_000))
        streaming.grown(file, Math.min(at + 5_000_000, large.length))
      }
      await growing.close()
      expect(await storage.head('streaming/complete')).toBeUndefined()
      await storage.put('streaming/complete', { file })
      expect((await read('streaming/complete'))?.equals(large)).toBe(true)
    })

    test('leaves nothing of an aborted streaming put', { timeout: 240_000 }, async () => {
      {
        await using streaming = storage.putWhileReceiving('streaming/aborted')
        streaming.grown(await fileOf(large), large.length)
      }
      expect(await storage.head('streaming/aborted')).toBeUndefined()
      expect(await leftovers()).toBe(0)
    })

    test('returns ranges, truncated at the end of the object', async () => {
      const bytes = randomBytes(100_000)
      await storage.put('ranges/object', bytes)
      const ranges = [
        [0, 0],
        [0, 99_999],
        [1000, 1999],
        [99_990, 99_999],
        [99_990, 200_000],
      ] as const
      for (const [start, end] of ranges)
        expect((await read('ranges/object', { start, end }))?.equals(bytes.subarray(start, end + 1))).toBe(
          true,
        )
      expect(await read('ranges/object', { start: 100_000, end: 100_010 })).toEqual(Buffer.alloc(0))
      const part = await storage.get('ranges/object', { start: 5, end: 9 })
      part?.body.destroy()
      expect(part?.sizeBytes).toBe(100_000)
    })

    test('changes the ETag when an object is replaced', async () => {
      await storage.put('replaced/object', Buffer.from('the first'))
      const before = await storage.head('replaced/object')
      expect(before?.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
      expect((await storage.head('replaced/object'))?.etag).toBe(before?.etag)
      await storage.put('replaced/object', Buffer.from('another'))
      expect((await read('replaced/object'))?.toString()).toBe('another')
      const after = await storage.get('replaced/object')
      after?.body.destroy()
      expect(after?.etag).not.toBe(before?.etag)
      expect(after?.etag).toBe((await storage.head('replaced/object'))?.etag)
    })

    test('returns undefined for a missing object and ignores its deletion', async () => {
      await storage.put('there/object', Buffer.from('here'))
      for (const key of ['nowhere', 'there', 'there/object2', 'there/object/below']) {
        expect(await storage.head(key)).toBeUndefined()
        expect(await storage.get(key)).toBeUndefined()
        expect(await storage.get(key, { start: 0, end: 9 })).toBeUndefined()
        expect(await storage.open(key)).toBeUndefined()
        await storage.delete(key)
      }
      await storage.delete('nowhere/')
      expect(await keysBelow('nowhere/')).toEqual([])
      expect((await read('there/object'))?.toString()).toBe('here')
    })

    test('keeps similar and unusual keys apart', async () => {
      const keys = [
        'a',
        'a.b',
        'a-b',
        'A',
        '_',
        '...',
        '.hidden',
        'x'.repeat(200),
        '0',
        'b/a/b/c.d/..e/f',
      ].map((key) => `unusual/${key}`)
      for (const key of keys) await storage.put(key, Buffer.from(key))
      for (const key of keys) expect((await read(key))?.toString()).toBe(key)
      expect(await keysBelow('unusual/')).toEqual(keys.toSorted())
    })

    test.each(['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', 'a/./b', 'a b', 'é', 'a\\b', 'a?b', '.drafts/a'])(
      'refuses %j as a key',
      async (key) => {
        await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('Not a storage key')
        await expect(storage.head(key)).rejects.toThrow('Not a storage key')
        await expect((async () => storage.get(key))()).rejects.toThrow('Not a storage key')
      },
    )

    test('lists several pages of keys in order', { timeout: 480_000 }, async () => {
      const keys = Array.from({ length: 1105 }, (_, index) => `many/${index % 7}/${index}`)
      for (let at = 0; at < keys.length; at += 50)
        await Promise.all(keys.slice(at, at + 50).map((key) => storage.put(key, Buffer.from(key))))
      expect(await keysBelow('many/')).toEqual(keys.toSorted())
      expect(await keysBelow('many/3/')).toEqual(keys.filter((key) => key.startsWith('many/3/')).toSorted())
      const sizes = []
      for await (const { key, sizeBytes } of storage.list('many/0/')) sizes.push(sizeBytes - key.length)
      expect(new Set(sizes)).toEqual(new Set([0]))
      await storage.put('many-more/object', Buffer.from('stays'))
      await storage.delete('many/')
      expect(await keysBelow('many/')).toEqual([])
      expect(await storage.head('many-more/object')).toBeDefined()
    })

    test('stores one complete object when eight writers put the same key', async () => {
      const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, index))
      await Promise.all(bodies.map((body) => storage.put('crowd/object', body)))
      const stored = await read('crowd/object')
      expect(bodies.some((body) => stored?.equals(body))).toBe(true)
    })

    test('keeps the previous object when a put fails', { timeout: 240_000 }, async () => {
      await storage.put('broken/object', Buffer.from('before'))
      const breaking = (bytes: number) =>
        Readable.from(
          (function* broken() {
            yield large.subarray(0, bytes)
            throw new Error('the sender disconnected')
          })(),
        )
      for (const bytes of [1000, 20_000_000]) {
        await expect(storage.put('broken/object', breaking(bytes))).rejects.toThrow('the sender disconnected')
        await expect(storage.put('broken/other', breaking(bytes))).rejects.toThrow('the sender disconnected')
      }
      await expect(storage.put('broken/object', { file: path.join(directory, 'none') })).rejects.toThrow(
        'ENOENT',
      )
      expect((await read('broken/object'))?.toString()).toBe('before')
      expect(await keysBelow('broken/')).toEqual(['broken/object'])
      expect(await leftovers()).toBe(0)
    })

    test('opens an object as a local file for several users', async () => {
      const bytes = randomBytes(300_000)
      await storage.put('opened/object', bytes)
      const [one, other] = await Promise.all([storage.open('opened/object'), storage.open('opened/object')])
      expect((await readFile(one?.path ?? '')).equals(bytes)).toBe(true)
      await one?.[Symbol.asyncDispose]()
      expect((await readFile(other?.path ?? '')).equals(bytes)).toBe(true)
      await other?.[Symbol.asyncDispose]()
      await storage.delete('opened/object')
      expect(await storage.open('opened/object')).toBeUndefined()
    })

    test('sweep keeps complete objects', async () => {
      await storage.put('swept/object', Buffer.from('stays'))
      await storage.sweep(new Date(0), () => true)
      await storage.sweep(inOneMinute(), () => true)
      expect((await read('swept/object'))?.toString()).toBe('stays')
    })
  })
}

function* inChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 700_000) yield bytes.subarray(at, at + 700_000)
}
