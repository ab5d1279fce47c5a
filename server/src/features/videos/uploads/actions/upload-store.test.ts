import { DataStore, Upload } from '@tus/server'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../../testing/fixtures/test-users.ts'
import { listUploadedBytes } from '../queries.ts'
import { UploadLimit, type UploadStore } from './upload-store.ts'

/** A store of another site, which has no uploads. */
class EmptyStore extends DataStore implements UploadStore {
  listIds = async () => []
  grow = async () => undefined
  open = () => Promise.reject(new Error('there are no uploads'))
  fileOf = () => undefined
}

test('begins uploads while the bucket keeps another one waiting, and takes a refused one back', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { user } = await signUp(site)
  const room = new UploadLimit(site.context)
  const uploadOf = (id: string) => new Upload({ id, size: 7, offset: 0, metadata: { ownerId: user._id } })
  const undone: string[] = []
  const creation = (id: string, prepare: Promise<void>) => ({
    prepare: () => prepare,
    insert: async () => uploadOf(id),
    undo: async () => void undone.push(id),
  })
  const bucket = Promise.withResolvers<void>()
  const slow = room.begin(new EmptyStore(), uploadOf('slow'), creation('slow', bucket.promise))
  const quick = await room.begin(new EmptyStore(), uploadOf('quick'), creation('quick', Promise.resolve()))
  expect(quick.id).toBe('quick')
  bucket.resolve()
  expect((await slow).id).toBe('slow')

  const refused = {
    ...creation('refused', Promise.resolve()),
    insert: () => Promise.reject(new Error('no space')),
  }
  await expect(room.begin(new EmptyStore(), uploadOf('refused'), refused)).rejects.toThrow('no space')
  expect(undone).toEqual(['refused'])
  expect(await listUploadedBytes(site.db, user._id, new Date(0))).toHaveLength(2)
})
