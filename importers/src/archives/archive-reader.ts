import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as afterOtherEvents } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { type Explanation } from '@kinora/contract/failure.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'
import { ProcessPool } from '@kinora/platform/sandbox/process-pool.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { textRatio, type ZipFile } from '@kinora/platform/files/zip-file.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import { type Contents, type FileFormat, parseFile } from './parse-file.ts'

export interface ReaderRequest {
  path: string
  name: string
  format: FileFormat
}

export type ReaderResponse =
  | (Omit<Contents, 'rows'> & { batches: Uint8Array[] })
  | { refusal: Explanation }
  | { isTooCostly: true }
  | { error: string }

const idleMs = 60_000
/** A reader that has read so much is replaced: its heap has grown. */
const recycleBytes = 4 * 1024 ** 2

const readers = new ProcessPool<ReaderRequest, ReaderResponse>(
  () =>
    new PreforkedProcess({
      script: fileURLToPath(new URL('./reader-process.ts', import.meta.url)),
      role: 'import-reader',
      heapMegabytes: 768,
      memoryBytes: 2 * 1024 ** 3,
      niceness: 5,
    }),
  {
    maxIdle: 1,
    idleMs,
    mustEnd: (response) =>
      !('batches' in response) ||
      response.batches.reduce((sum, { length }) => sum + length, 0) > recycleBytes,
  },
)

export const readingLimits = {
  /** Files up to this size take milliseconds, and are read in this process. */
  ownBytes: 32 * 1024,
  cpuSeconds: 30,
  /** For a process that hangs, and far above what a busy machine takes. */
  timeoutMs: 600_000,
  /** Files that exceed a limit of time or memory, after which no other one is tried. */
  maxTooCostly: 3,
}

/**
 * Reads the files of an import, which come from anybody: large ones in a process with limited memory and time, which reads
 * them from `directory`.
 */
export class ArchiveReader {
  readonly #directory: string
  readonly #signal: AbortSignal
  readonly #limits: typeof readingLimits
  #tooCostly = 0

  constructor(directory: string, signal: AbortSignal, limits = readingLimits) {
    this.#directory = directory
    this.#signal = signal
    this.#limits = limits
  }

  /**
   * Reads a file of an archive; undefined if there is none. Throws `invalid` if it is larger than `maxBytes`, does not follow
   * its format, or exceeds a limit; or the reason of the abort.
   */
  async readEntry(
    zip: ZipFile,
    name: string,
    { format, maxBytes }: { format: FileFormat; maxBytes: number },
  ): Promise<Contents | undefined> {
    this.#signal.throwIfAborted()
    if ((zip.sizeOf(name) ?? 0) <= this.#limits.ownBytes) {
      const bytes = await zip.read(name, maxBytes)
      return bytes && parseFile(name, bytes, format)
    }
    const file = path.join(this.#directory, ownName())
    await mkdir(this.#directory, { recursive: true })
    try {
      await zip.extract(name, file, maxBytes, this.#signal, textRatio)
      return await this.#readInChild({ path: file, name, format })
    } finally {
      await rm(file, { force: true })
    }
  }

  /** Reads a file of the disk. Throws like `readEntry`. */
  async readFile(file: string, format: FileFormat): Promise<Contents> {
    const { size } = await stat(file)
    const name = 'file'
    return size <= this.#limits.ownBytes
      ? parseFile(name, await readFile(file), format)
      : this.#readInChild({ path: file, name, format })
  }

  async #readInChild(request: ReaderRequest): Promise<Contents> {
    const { cpuSeconds, timeoutMs, maxTooCostly } = this.#limits
    if (this.#tooCostly >= maxTooCostly) throw tooCostly()
    const limits = { cpuSeconds, timeoutMs, signal: this.#signal }
    const response = await readers.request(request, limits).catch((error: unknown): ReaderResponse => {
      this.#signal.throwIfAborted()
      // another attempt may find a machine that is less busy
      if (error instanceof Error && error.name === 'TimeoutError') throw error
      return { isTooCostly: true }
    })
    if ('error' in response) throw new Error(response.error)
    if ('refusal' in response) throw AppError.from(response.refusal)
    if ('isTooCostly' in response) {
      this.#tooCostly += 1
      throw tooCostly()
    }
    const { batches, ...rejected } = response
    const rows: unknown[] = []
    for (const batch of batches) {
      // the child runs our own module, whose batches are lists
      rows.push(...(deserialize(batch) as unknown[]))
      await afterOtherEvents()
    }
    return { rows, ...rejected }
  }
}

const tooCostly = () => new AppError(portabilityErrors.readingTooCostly)
