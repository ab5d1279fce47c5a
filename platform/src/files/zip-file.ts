import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { errors } from '@kinora/contract/errors.ts'
import { type Entry, openPromise, type ZipFile as OpenFile } from 'yauzl'
import { AppError } from '../errors.ts'

/** Largest number of files in an archive. */
const maxEntries = 100_000

/** Largest list of files: names, extra fields and comments, which stay in memory while an archive is open. */
const maxListBytes = 64_000_000

/** Files up to this size may have any ratio. */
const anyRatioBytes = 1024 ** 2

/** Largest ratios of unpacked to packed bytes. Texts compress well, videos and databases that are extracted hardly. */
export const textRatio = 200
const extractRatio = 20

/** Limit of all that an archive unpacks: a number of bytes, and a multiple of its size. */
const totalLimits = { freeBytes: 1024 ** 3, ratio: 2 }

/**
 * A zip file of unknown origin on the disk. Files are read one by one, by their name, and written to paths of the caller:
 * no name in the archive becomes a path. yauzl rejects absolute names and `..`, and ends a file that grows beyond its
 * declared size, which is limited by each caller, by its ratio and by the total of the archive.
 */
export class ZipFile implements Disposable {
  readonly #file: OpenFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #maxUnpackedBytes: number
  #unpackedBytes = 0

  private constructor(file: OpenFile, entries: ReadonlyMap<string, Entry>, limits: typeof totalLimits) {
    this.#file = file
    this.#entries = entries
    this.#maxUnpackedBytes = limits.freeBytes + limits.ratio * file.fileSize
  }

  /** Reads the list of files. Throws `invalid` for a file that is no zip, whose files are too many or overlap, or whose list of files is too long. */
  static async open(path: string, limits = totalLimits): Promise<ZipFile> {
    const file = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rejectZip)
    try {
      if (file.entryCount > maxEntries) throw new AppError(errors.archiveTooManyFiles, { limit: maxEntries })
      const entries = new Map<string, Entry>()
      let listBytes = 0
      for await (const entry of file.eachEntry()) {
        listBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
        if (listBytes > maxListBytes) throw new AppError(errors.archiveListTooLong)
        // no file system has such names, and the database cannot store them
        if (!entry.fileName.includes('\0')) entries.set(entry.fileName, entry)
      }
      assertApart([...entries.values()])
      return new ZipFile(file, entries, limits)
    } catch (error) {
      file.close()
      return rejectZip(error)
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  /** The size of a file after decompression; undefined if there is none of this name. */
  sizeOf(name: string): number | undefined {
    return this.#entries.get(name)?.uncompressedSize
  }

  /** The bytes that a file takes in the archive; 0 if there is none of this name. */
  packedSizeOf(name: string): number {
    return this.#entries.get(name)?.compressedSize ?? 0
  }

  /**
   * The bytes of a file; undefined if there is none. Throws `invalid` if it is larger, damaged or encrypted, or compressed
   * as only an attack is.
   */
  async read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    const stream = await this.#unpack(name, maxBytes, textRatio)
    return stream && buffer(stream).catch(rejectZip)
  }

  /** The first bytes of a file, fewer if it is shorter; undefined if there is none. Throws `invalid` if they are damaged. */
  async readStart(name: string, bytes: number): Promise<Buffer | undefined> {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    const stream = await this.#file.openReadStreamPromise(entry).catch(rejectZip)
    const chunks: Buffer[] = []
    let received = 0
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        received += chunk.length
        // which destroys the stream
        if (received >= bytes) break
      }
    } catch (error) {
      return rejectZip(error)
    }
    return Buffer.concat(chunks).subarray(0, bytes)
  }

  /** Writes a file to a new path. Returns whether the archive has it. Throws like `read`; nothing is left then. */
  async extract(
    name: string,
    target: string,
    maxBytes: number,
    signal: AbortSignal,
    maxRatio = extractRatio,
  ): Promise<boolean> {
    const stream = await this.#unpack(name, maxBytes, maxRatio)
    if (!stream) return false
    try {
      await pipeline(addAbortSignal(signal, stream), createWriteStream(target, { flags: 'wx' }))
      return true
    } catch (error) {
      await rm(target, { force: true })
      signal.throwIfAborted()
      return rejectZip(error)
    }
  }

  async #unpack(name: string, maxBytes: number, maxRatio: number) {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    const { uncompressedSize: bytes, compressedSize: packedBytes } = entry
    if (bytes > maxBytes) throw new AppError(errors.archiveFileTooLarge, { name })
    if (bytes > Math.max(anyRatioBytes, maxRatio * packedBytes))
      throw new AppError(errors.archiveFileExpands, { name, count: maxRatio })
    if (this.#unpackedBytes + bytes > this.#maxUnpackedBytes) throw new AppError(errors.archiveTooLarge)
    this.#unpackedBytes += bytes
    return this.#file.openReadStreamPromise(entry).catch(rejectZip)
  }

  [Symbol.dispose](): void {
    this.#file.close()
  }
}

/** Size of a local file header without name and extra field (APPNOTE 4.3.7). */
const localHeaderBytes = 30

/**
 * Throws `invalid` for files that share bytes: a small archive could then have as much content as the square of its size
 * (https://www.bamsoftware.com/hacks/zipbomb/).
 */
function assertApart(entries: readonly Entry[]): void {
  let end = 0
  const inOrder = entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )
  for (const { relativeOffsetOfLocalHeader: start, compressedSize } of inOrder) {
    if (start < end) throw new AppError(errors.archiveFilesOverlap)
    end = start + localHeaderBytes + compressedSize
  }
}

/** Errors of the disk are no fault of the archive. */
function rejectZip(error: unknown): never {
  if (error instanceof AppError || (error instanceof Error && 'syscall' in error)) throw error
  throw new AppError(errors.archiveDamaged, { cause: error })
}
