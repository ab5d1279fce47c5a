import { mkdir, open, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { writeFully } from '@kinora/platform/files/write-fully.ts'
import { WINDOW_FILE_SECONDS } from '../rules/streams.ts'

/** Where the parts of a stream are stored. */
export interface Recording {
  /** Stores a part that begins at a time, durably, and returns where it is. */
  append(bytes: Buffer, seconds: number): Promise<{ file: number; position: number }>
  /** Notes that a file was deleted. */
  drop(file: number): void
  readonly sizeBytes: number
  close(): Promise<void>
}

/** A recording: a file to which whole parts are appended, or one file after another of a stream that keeps nothing. */
export class RecordingFile implements Recording {
  readonly #pathOf: (file: number) => string
  readonly #keepsAll: boolean
  #file: FileHandle
  #number: number
  /** Of the current file. */
  #size: number
  #beganSeconds: number
  /** Of the files before. */
  readonly #sizes: Map<number, number>

  private constructor(
    { pathOf, keepsAll }: RecordingFiles,
    file: FileHandle,
    { sizes, seconds }: RecordedBefore,
  ) {
    this.#pathOf = pathOf
    this.#keepsAll = keepsAll
    this.#file = file
    this.#number = Math.max(0, ...sizes.keys())
    this.#size = sizes.get(this.#number) ?? 0
    this.#sizes = new Map([...sizes].filter(([number]) => number !== this.#number))
    this.#beganSeconds = seconds
  }

  /** Creates the first file. Throws if it exists. */
  static async create(files: RecordingFiles): Promise<RecordingFile> {
    const file = files.pathOf(0)
    await mkdir(path.dirname(file), { recursive: true })
    return new RecordingFile(files, await open(file, 'wx'), { sizes: new Map(), seconds: 0 })
  }

  /**
   * Continues after the last whole part; a killed process may have left a piece of another one in the last file. A stream that keeps nothing begins another file.
   */
  static async continue(files: RecordingFiles, before: RecordedBefore): Promise<RecordingFile> {
    const number = Math.max(...before.sizes.keys())
    const target = files.pathOf(number)
    await truncate(target, before.sizes.get(number) ?? 0)
    const recording = new RecordingFile(files, await open(target, 'r+'), before)
    if (!files.keepsAll) await recording.#beginFile(before.seconds)
    return recording
  }

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

/** Sizes of the files of a recording up to its last whole part, and the time of its end. */
interface RecordedBefore {
  sizes: Map<number, number>
  seconds: number
}

/** Where the files of a recording are. */
export interface RecordingFiles {
  pathOf: (file: number) => string
  /** Whether all is one file that is kept. */
  keepsAll: boolean
}
