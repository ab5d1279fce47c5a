import path from 'node:path'
import type { Context } from '../../../context.ts'
import { listUntouched } from '../queries.ts'
import { BucketUploads } from './bucket-uploads.ts'
import { FolderUploads } from './folder-uploads.ts'
import { UploadRoom, type UploadStore } from './upload-store.ts'

type StoreContext = Pick<Context, 'config' | 'db' | 'storage' | 'clock' | 'siteSettings'>

/** Uploads are in a folder shared by all web processes, or in the bucket. */
export function uploadStoreOf(context: StoreContext): UploadStore {
  const { dataDir } = context.config
  const { parts } = context.storage
  const incoming = path.join(dataDir, 'incoming')
  const room = new UploadRoom(context)
  return parts
    ? new BucketUploads(context, parts, incoming, room)
    : new FolderUploads(path.join(dataDir, 'uploads'), incoming, room)
}

/** Deletes an upload with its bytes; does nothing if it does not exist. */
export async function removeUpload(store: UploadStore, id: string): Promise<void> {
  await store.remove(id).catch(ignoreMissing)
}

/** Deletes the unpublished uploads of an account. */
export async function removeUploadsOf(context: StoreContext, ownerId: string): Promise<void> {
  const store = uploadStoreOf(context)
  for (const id of await store.idsOf(ownerId)) await removeUpload(store, id)
}

/** Deletes unpublished uploads in a bucket that were not continued since. Returns their number. */
export async function removeUntouched(context: StoreContext, before: Date): Promise<number> {
  const ids = await listUntouched(context.db, before)
  const store = uploadStoreOf(context)
  for (const id of ids) await removeUpload(store, id)
  return ids.length
}

/** Rethrows all errors except those by which tus reports a missing upload. */
export function ignoreMissing(error: unknown): undefined {
  const status = typeof error === 'object' && error !== null && 'status_code' in error ? error.status_code : 0
  if (status !== 404 && status !== 410) throw error
}
