import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { testStorage } from './conformance.ts'
import { draftsOf, LocalStorage } from './local.ts'

testStorage('on the disk', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-local-'))
  const storage = new LocalStorage(root)
  const close = async () => rm(root, { recursive: true, force: true })
  return {
    storage: Object.assign(storage, { close }),
    leftovers: async () => (await readdir(draftsOf(root)).catch(() => [])).length,
  }
})

test.each(['a file', 'missing'])('reads throw unavailable while the directory is %s', async (state) => {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-away-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const storage = new LocalStorage(path.join(root, 'storage'))
  await storage.put('there/object', Buffer.from('here'))
  await rm(path.join(root, 'storage'), { recursive: true })
  if (state === 'a file') await writeFile(path.join(root, 'storage'), 'no disk')
  const list = async () => {
    for await (const _ of storage.list('there/')) return
  }
  const reads = [
    () => storage.head('there/object'),
    () => storage.get('there/object'),
    () => storage.open('there/object'),
    () => storage.delete('there/object'),
    list,
    // deleting below a missing directory succeeds
    ...(state === 'a file' ? [() => storage.delete('there/')] : []),
  ]
  for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
})

test.each(['a file', 'a broken link'])(
  'writes throw unavailable while the directory is %s',
  async (state) => {
    const root = await mkdtemp(path.join(tmpdir(), 'kinora-away-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const directory = path.join(root, 'storage')
    const storage = new LocalStorage(directory)
    await storage.put('there/object', Buffer.from('here'))
    await rm(directory, { recursive: true })
    if (state === 'a file') await writeFile(directory, 'no disk')
    else await symlink('nowhere', directory)
    const file = path.join(root, 'received')
    await writeFile(file, 'video')
    const puts = [
      () => storage.put('there/other', Buffer.from('here')),
      () => storage.put('there/video', { file }),
      () => storage.putOnce('there/once', Buffer.from('here')),
    ]
    for (const put of puts) await expect(put()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await readdir(root)).toEqual(['received', 'storage'])
  },
)

test('has no objects before the first write', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-new-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const storage = new LocalStorage(path.join(root, 'storage'))
  expect(await storage.head('there/object')).toBeUndefined()
  await storage.put('there/object', Buffer.from('here'))
  expect(await storage.head('elsewhere/object')).toBeUndefined()
  expect(await storage.head('there/object')).toBeDefined()
})

test('deletes empty directories and creates them again', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-empty-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const storage = new LocalStorage(root)
  const keys = ['a/b/c/1', 'a/b/c/2', 'a/d/1']
  for (const key of keys) await storage.put(key, Buffer.from('here'))
  const below = async (directory: string) => (await readdir(path.join(root, directory))).toSorted()
  await storage.delete('a/b/c/1')
  expect(await below('a/b')).toEqual(['c'])
  await storage.delete('a/b/c/2')
  expect(await below('a')).toEqual(['d'])
  await storage.delete('a/d/')
  expect(await below('.')).not.toContain('a')
  await Promise.all(keys.flatMap((key) => [storage.put(key, Buffer.from('again')), storage.delete('a/d/2')]))
  expect((await below('a/b/c')).concat(await below('a/d'))).toEqual(['1', '2', '1'])
})

test('stores an object while its directory is being deleted', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-going-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const storage = new LocalStorage(root)
  const putAndDelete = async (writer: number) => {
    for (let count = 0; count < 150; count += 1) {
      const key = `a/b/${writer % 2}/${writer}-${count}`
      await (writer % 2 === 0
        ? storage.put(key, Buffer.from('here'))
        : storage.putOnce(key, Buffer.from('here')))
      expect(await storage.head(key)).toBeDefined()
      await storage.delete(key)
    }
  }
  await Promise.all([0, 1, 2, 3].map(putAndDelete))
  expect(await readdir(root)).toEqual(['.drafts'])
})

test('an edit replaces the object at once, and readers keep what they read', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-edit-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const storage = new LocalStorage(root)
  await storage.put('there/object', Buffer.from('a place here'))
  const reading = await storage.get('there/object')
  await storage.edit('there/object', '', [{ start: 2, head: Buffer.from('_____'), end: 7 }])
  expect(await text(reading?.body ?? Readable.from([]))).toBe('a place here')
  expect(await text((await storage.get('there/object'))?.body ?? Readable.from([]))).toBe('a _____ here')
  expect(await readdir(draftsOf(root))).toEqual([])
})
