import { link, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { FileStore } from '@tus/file-store'
import { newId } from '../../../platform/ids.ts'
import type { LentUpload, UploadStore } from './upload-store.ts'

/**
 * Bytes are appended to a file as they come, and its size is the offset to go on from. Beside each file a small one says
 * whose it is.
 */
export class FolderUploads extends FileStore implements UploadStore {
  readonly #incoming: string

  constructor(directory: string, incoming: string) {
    super({ directory })
    this.#incoming = incoming
  }

  /** A second name for the same bytes: publishing may take that one, and the upload survives if it fails. */
  async lend(id: string): Promise<LentUpload> {
    const videoFile = path.join(this.#incoming, newId())
    await mkdir(this.#incoming, { recursive: true })
    await link(path.join(this.directory, id), videoFile)
    return { videoFile, [Symbol.asyncDispose]: () => rm(videoFile, { force: true }) }
  }
}
