import path from 'node:path'
import type { Context } from '../../../../context/context.ts'
import { forEachIsolated } from '@kinora/platform/concurrency/isolate.ts'
import { BucketUploads } from './bucket-uploads.ts'
import { FolderUploads } from './folder-uploads.ts'
import { UploadLocker } from './upload-locker.ts'
import { UploadLimit, type UploadStore } from './upload-store.ts'

type StoreContext = Pick<Context, 'config' | 'db' | 'storage' | 'clock' | 'siteSettings' | 'locks' | 'pubsub'>

/** Uploads are in a folder shared by all web processes, or in the bucket. */
export function uploadStoreOf(context: StoreContext): UploadStore {
  const { dataDir } = context.config
  const { parts } = context.storage
  const incoming = path.join(dataDir, 'incoming')
  const room = new UploadLimit(context)
  return parts
    ? new BucketUploads(context, parts, incoming, room)
    : new FolderUploads(path.join(dataDir, 'uploads'), incoming, room, new UploadLocker(context))
}

/** Deletes an upload with its bytes; does nothing if it does not exist. */
export async function removeUpload(store: UploadStore, id: string): Promise<void> {
  await store.remove(id).catch(ignoreMissing)
}

/** Deletes the unpublished uploads of an account. */
export async function removeUploadsOf(context: StoreContext, ownerId: string): Promise<void> {
  const store = uploadStoreOf(context)
  await forEachIsolated(await store.listIds(ownerId), (id) => removeUpload(store, id))
}

/** Rethrows all errors except those by which tus reports a missing upload. */
export function ignoreMissing(error: unknown): undefined {
  const status = typeof error === 'object' && error !== null && 'status_code' in error ? error.status_code : 0
  if (status !== 404 && status !== 410) throw error
}
