import type { DataStore, Upload } from '@tus/server'
import { AppError } from '../../../platform/errors.ts'

/** The bytes of an upload, for publishing; the upload is as it was when this is disposed of. */
export interface LentUpload extends AsyncDisposable {
  /** A local file; to be moved away unless the source is stored. */
  videoFile: string
  /** Where the source is already, to stay there whatever becomes of the video. */
  storedAt?: string
}

/** Where the bytes of unfinished uploads are. */
export interface UploadStore extends DataStore {
  /** How many there are of somebody, complete ones that are not published included. */
  countOf(ownerId: string): Promise<number>
  /** Lends a complete upload. */
  lend(id: string): Promise<LentUpload>
  /** The file that the bytes of an upload are in, if they are in one. */
  fileOf(id: string): string | undefined
}

/** Of one person; what nobody goes on with is cleared after a day and counts no more. */
const mostUnfinished = 100

/** Throws `too_many_requests` when somebody has no room for another upload. */
export async function demandRoom(store: UploadStore, ownerId: string): Promise<void> {
  if ((await store.countOf(ownerId)) >= mostUnfinished) throw tooMany()
}

/**
 * Takes back an upload that was just made if it is one too many. Counted again, because several of one moment each found
 * room: then one or another of them is refused too many, but never one too few.
 */
export async function takeBackIfTooMany(store: UploadStore, { id, metadata }: Upload): Promise<void> {
  if ((await store.countOf(metadata?.['ownerId'] ?? '')) <= mostUnfinished) return
  await store.remove(id)
  throw tooMany()
}

const tooMany = () =>
  new AppError(
    'too_many_requests',
    `You have ${mostUnfinished} unfinished uploads: finish one of them, or give it up, before you begin another`,
  )
