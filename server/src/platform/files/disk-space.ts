import { statfs } from 'node:fs/promises'
import { AppError } from '../errors.ts'
import { formatBytes } from '../format-bytes.ts'

/** Part of a file system's description, as `statfs` returns it. */
export interface FileSystem {
  blocks: number
  bavail: number
  bsize: number
}

/** Free space that uploads leave to the database, logs and segments: 1 GB, on small disks 2 %. */
const floorMaxBytes = 1e9
const floorShare = 0.02

/** Free space of a disk in bytes, and the floor below which no upload starts. */
export function freeSpaceOf({ blocks, bavail, bsize }: FileSystem): {
  freeBytes: number
  floorBytes: number
} {
  return { freeBytes: bavail * bsize, floorBytes: Math.min(floorMaxBytes, blocks * bsize * floorShare) }
}

/** An upload that the disk has no room for. */
export class DiskShort extends AppError {}

/** The disk of a directory. */
export class DiskSpace {
  readonly #directory: string
  readonly #read: (directory: string) => Promise<FileSystem>

  constructor(directory: string, read: (directory: string) => Promise<FileSystem> = statfs) {
    this.#directory = directory
    this.#read = read
  }

  /** Throws `unavailable` below the floor, `too_large` when so many more bytes would leave less than the floor. */
  async assertRoom(bytes = 0): Promise<void> {
    const { freeBytes, floorBytes } = freeSpaceOf(await this.#read(this.#directory))
    if (freeBytes < floorBytes)
      throw new DiskShort(
        'unavailable',
        'The server is short of disk space and accepts no uploads. Try again later, or ask its operator to free space.',
      )
    if (freeBytes - bytes < floorBytes)
      throw new DiskShort(
        'too_large',
        `The server has no disk space for a file of ${formatBytes(bytes)}. Upload a smaller file, or ask its operator to free space.`,
      )
  }

  /** What is short, for an operator; undefined when uploads can start. */
  async shortage(): Promise<string | undefined> {
    const { freeBytes, floorBytes } = freeSpaceOf(await this.#read(this.#directory))
    if (freeBytes >= floorBytes) return undefined
    return `${formatBytes(freeBytes)} free, uploads are refused below ${formatBytes(floorBytes)}`
  }
}
