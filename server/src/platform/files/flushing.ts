import { type FileHandle, open } from 'node:fs/promises'

const flushEveryBytes = 32 * 1024 * 1024

/**
 * Has a growing file written to disk as it comes, so that the sender of a large one does not wait for all of it after
 * the last byte. One flush at a time; a sender that is faster than the disk is slowed down.
 */
export class Flushing {
  readonly #file: FileHandle
  #unflushed = 0
  #running: Promise<void>

  /** `before` is a flush of the same file that may still be running. */
  constructor(file: FileHandle, before: Promise<void> = Promise.resolve()) {
    this.#file = file
    this.#running = before
  }

  async noteBytes(count: number): Promise<void> {
    this.#unflushed += count
    if (this.#unflushed < flushEveryBytes) return
    await this.#running
    this.#begin()
  }

  /** Waits for the flush that is running; throws what it met. */
  async end(): Promise<void> {
    await this.#running
  }

  /** Flushes what has come since, once the flush that is running has ended. */
  async rest(): Promise<void> {
    await this.#running
    this.#begin()
    await this.#running
  }

  #begin(): void {
    this.#unflushed = 0
    this.#running = this.#file.datasync()
    // looked at by the next await; a failure must not count as nobody's
    this.#running.catch(() => undefined)
  }
}

/** Has a whole file written to disk. */
export async function flushFile(file: string): Promise<void> {
  const handle = await open(file)
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
