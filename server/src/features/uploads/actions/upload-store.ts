import type { DataStore } from '@tus/server'

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
