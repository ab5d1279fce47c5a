import { statfs } from 'node:fs/promises'
import { errors } from '@kinora/contract/errors.ts'
import { AppError } from '../errors.ts'
import { formatBytes } from '../format-bytes.ts'

/** Part of a file system's description, as `statfs` returns it. */
export interface FileSystem {
  blocks: number
  bavail: number
  bsize: number
}

/** Free space that uploads never use, for the database, logs and derived files: 1 GB, on small disks 2 %. */
const floorMaxBytes = 1e9
const floorShare = 0.02

/** Free space of a disk in bytes, and the floor below which no upload starts. */
export function freeSpaceOf({ blocks, bavail, bsize }: FileSystem): {
  freeBytes: number
  floorBytes: number
} {
  return { freeBytes: bavail * bsize, floorBytes: Math.min(floorMaxBytes, blocks * bsize * floorShare) }
}

/** Thrown when the disk has no space for an upload. */
export class DiskFullError<const Message extends string = string> extends AppError<Message> {}

/** The free space of the disk that holds a directory, shared out among uploads in progress. */
export class DiskSpace {
  readonly #directory: string
  readonly #read: (directory: string) => Promise<FileSystem>
  /** Functions that return the bytes still missing from each upload in progress. */
  readonly #reservations = new Set<() => number>()

  constructor(directory: string, read: (directory: string) => Promise<FileSystem> = statfs) {
    this.#directory = directory
    this.#read = read
  }

  /**
   * Reserves disk space for an upload until disposed. `receivedBytes` returns how much of it has arrived. Only uploads of
   * this process are added up.
   *
   * Throws `unavailable` below the floor, or when uploads in progress need the space; `too_large` when the file alone
   * would leave less than the floor.
   */
  async reserve(bytes: number, receivedBytes: () => number): Promise<Disposable> {
    const { freeBytes, floorBytes } = freeSpaceOf(await this.#read(this.#directory))
    if (freeBytes < floorBytes) throw new DiskFullError(errors.diskShort)
    if (freeBytes - bytes < floorBytes)
      throw new DiskFullError(errors.diskShortForFile, { size: formatBytes(bytes) })
    let reservedBytes = 0
    for (const bytesLeft of this.#reservations) reservedBytes += bytesLeft()
    if (bytes > 0 && freeBytes - bytes - reservedBytes < floorBytes)
      throw new DiskFullError(errors.diskReserved, { retryAfterSeconds: 60 })
    const missingBytes = () => Math.max(0, bytes - receivedBytes())
    this.#reservations.add(missingBytes)
    return { [Symbol.dispose]: () => void this.#reservations.delete(missingBytes) }
  }

  /** Throws `unavailable` when an upload in progress must end: less than half of the floor is free. */
  async assertNotFull(): Promise<void> {
    const { freeBytes, floorBytes } = freeSpaceOf(await this.#read(this.#directory))
    if (freeBytes < floorBytes / 2)
      throw new DiskFullError(errors.diskRanShort, {
        retryAfterSeconds: 60,
      })
  }

  /** Describes the shortage for an administrator; undefined if uploads can start. */
  async shortage(): Promise<string | undefined> {
    const { freeBytes, floorBytes } = freeSpaceOf(await this.#read(this.#directory))
    if (freeBytes >= floorBytes) return undefined
    return `${formatBytes(freeBytes)} free, uploads are refused below ${formatBytes(floorBytes)}`
  }
}
