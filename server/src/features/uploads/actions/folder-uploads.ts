import { createWriteStream } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { ownName } from '../../../platform/process-identity.ts'
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

  /** Answers the offset after the bytes that came; throws what the disk says. */
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(path.join(this.directory, id), { flags: 'r+', start: offset })
    await pipeline(bytes, file)
    return offset + file.bytesWritten
  }

  /** A second name for the same bytes: publishing may take that one, and the upload survives if it fails. */
  async lend(id: string): Promise<LentUpload> {
    const videoFile = path.join(this.#incoming, ownName())
    await mkdir(this.#incoming, { recursive: true })
    await link(path.join(this.directory, id), videoFile)
    return { videoFile, [Symbol.asyncDispose]: () => rm(videoFile, { force: true }) }
  }
}
