import { mkdir, open, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { writeFully } from '@kinora/platform/files/write-fully.ts'

/** The file of a recording, to which whole parts are appended. */
export class RecordingFile {
  readonly path: string
  readonly #file: FileHandle
  #size: number

  private constructor(file: string, handle: FileHandle, size: number) {
    this.path = file
    this.#file = handle
    this.#size = size
  }

  /** Creates the file. Throws if it exists. */
  static async create(file: string): Promise<RecordingFile> {
    await mkdir(path.dirname(file), { recursive: true })
    return new RecordingFile(file, await open(file, 'wx'), 0)
  }

  /** Opens the file after its last whole part, which it has; a killed process may have left a piece of another. */
  static async continue(file: string, size: number): Promise<RecordingFile> {
    await truncate(file, size)
    return new RecordingFile(file, await open(file, 'r+'), size)
  }

  /** Appends bytes, waits for the disk, and returns where they begin. */
  async append(bytes: Buffer): Promise<number> {
    const position = this.#size
    await writeFully(this.#file, bytes, position)
    // a row that mentions them is written after this
    await this.#file.datasync()
    this.#size += bytes.length
    return position
  }

  get sizeBytes(): number {
    return this.#size
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
