import { type FileHandle, open } from 'node:fs/promises'

const flushEveryBytes = 32 * 1024 * 1024

/**
 * Syncs a growing file to disk at intervals, so that the sync after the last byte is short. Only one sync runs at a
 * time, which applies back-pressure to a sender that is faster than the disk.
 */
export class Flushing {
  readonly #file: FileHandle
  #unflushed = 0
  #running: Promise<void>

  /** `before` is an earlier sync of the same file that may still be running. */
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

  /** Waits for the running sync and throws its error. */
  async end(): Promise<void> {
    await this.#running
  }

  /** Waits for the running sync, then syncs the remaining bytes. */
  async rest(): Promise<void> {
    await this.#running
    this.#begin()
    await this.#running
  }

  #begin(): void {
    this.#unflushed = 0
    this.#running = this.#file.datasync()
    // a failure is thrown by the next await
    this.#running.catch(() => undefined)
  }
}

/** Syncs a file to disk. */
export async function flushFile(file: string): Promise<void> {
  const handle = await open(file)
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
