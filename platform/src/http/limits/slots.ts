import type { ProcessLocks } from '../../db/process-locks.ts'
import type { AppError } from '../../errors.ts'

/** Creates the error for somebody who has all slots. */
export type Refuse = (options: { retryAfterSeconds: number }) => AppError

/** Concurrency limit per key, for all processes: each slot is an advisory lock, which ends with its process. */
export class Slots {
  readonly #name: string
  readonly #limit: number
  readonly #refuse: Refuse
  readonly #locks: ProcessLocks
  /** Locks that this process holds or is acquiring. */
  readonly #taken = new Set<string>()

  constructor(name: string, limit: number, refuse: Refuse, locks: ProcessLocks) {
    this.#name = name
    this.#limit = limit
    this.#refuse = refuse
    this.#locks = locks
  }

  /** Takes a slot until it is disposed. Throws `too_many_requests` when none is left. */
  async take(key: string): Promise<AsyncDisposable> {
    for (let number = 0; number < this.#limit; number += 1) {
      const lock = `${this.#name} ${key} ${number}`
      if (!this.#taken.has(lock) && (await this.#takeLock(lock))) return this.#slotOf(lock)
    }
    throw this.#refuse({ retryAfterSeconds: 30 })
  }

  async #takeLock(lock: string): Promise<boolean> {
    this.#taken.add(lock)
    let isTaken = false
    try {
      isTaken = await this.#locks.take(lock)
    } finally {
      if (!isTaken) this.#taken.delete(lock)
    }
    return isTaken
  }

  #slotOf(lock: string): AsyncDisposable {
    let isTaken = true
    return {
      [Symbol.asyncDispose]: async () => {
        if (!isTaken) return
        isTaken = false
        await this.#locks.release(lock)
        this.#taken.delete(lock)
      },
    }
  }
}
