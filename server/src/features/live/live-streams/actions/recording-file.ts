import { mkdir, open, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { writeFully } from '@kinora/platform/files/write-fully.ts'
import { WINDOW_FILE_SECONDS } from '../rules.ts'

/** A recording: a file to which whole parts are appended, or one file after another of a stream that keeps nothing. */
export class RecordingFile {
  readonly #pathOf: (file: number) => string
  readonly #keepsAll: boolean
  #file: FileHandle
  #number: number
  /** Of the current file. */
  #size: number
  #beganSeconds: number
  /** Of the files before. */
  readonly #sizes = new Map<number, number>()

  private constructor(
    { pathOf, keepsAll }: RecordingFiles,
    file: FileHandle,
    { number, size, seconds }: { number: number; size: number; seconds: number },
  ) {
    this.#pathOf = pathOf
    this.#keepsAll = keepsAll
    this.#file = file
    this.#number = number
    this.#size = size
    this.#beganSeconds = seconds
  }

  /** Creates the first file. Throws if it exists. */
  static async create(files: RecordingFiles): Promise<RecordingFile> {
    const file = files.pathOf(0)
    await mkdir(path.dirname(file), { recursive: true })
    return new RecordingFile(files, await open(file, 'wx'), { number: 0, size: 0, seconds: 0 })
  }

  /**
   * Continues after the last whole part, with which the last file has a size; a killed process may have left a piece of
   * another part. A stream that keeps nothing begins another file.
   */
  static async continue(
    files: RecordingFiles,
    last: { number: number; size: number; seconds: number },
  ): Promise<RecordingFile> {
    const target = files.pathOf(last.number)
    await truncate(target, last.size)
    const recording = new RecordingFile(files, await open(target, 'r+'), last)
    if (!files.keepsAll) await recording.#beginFile(last.seconds)
    return recording
  }

  /** Appends the bytes of a part that begins at a time, waits for the disk, and returns where they are. */
  async append(bytes: Buffer, seconds = 0): Promise<{ file: number; position: number }> {
    if (!this.#keepsAll && seconds - this.#beganSeconds >= WINDOW_FILE_SECONDS) await this.#beginFile(seconds)
    const position = this.#size
    await writeFully(this.#file, bytes, position)
    // a row that mentions them is written after this
    await this.#file.datasync()
    this.#size += bytes.length
    return { file: this.#number, position }
  }

  async #beginFile(seconds: number): Promise<void> {
    // no part is in a file of a later number
    const next = await open(this.#pathOf(this.#number + 1), 'w')
    await this.#file.close()
    this.#sizes.set(this.#number, this.#size)
    this.#file = next
    this.#number += 1
    this.#size = 0
    this.#beganSeconds = seconds
  }

  /** Notes that a file was deleted. */
  drop(file: number): void {
    this.#sizes.delete(file)
  }

  get sizeBytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, this.#size)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Where the files of a recording are. */
export interface RecordingFiles {
  pathOf: (file: number) => string
  /** Whether all is one file that is kept. */
  keepsAll: boolean
}
