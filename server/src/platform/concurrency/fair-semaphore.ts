interface Limits {
  /** Units in use at once, of all keys together. */
  total: number
  /** Units in use at once by one key. */
  perKey: number
}

interface Waiting {
  units: number
  start: () => void
}

/**
 * A semaphore that no key can monopolize: each key has a share, and waiting keys take turns. Work that
 * needs more units than there are runs alone.
 */
export class FairSemaphore {
  readonly #limits: Limits
  #used = 0
  readonly #usedBy = new Map<string, number>()
  /** In the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Runs `work` when one unit is free. Rejects with the signal's reason when that comes first. */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(key, 1, signal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Takes units, and returns a function that gives them back. Rejects with the signal's reason when that comes first. */
  acquire(key: string, units = 1, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        units,
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve(this.#take(key, units))
        },
      }
      const leave = () => {
        this.#leave(key, waiting)
        // the next in the queue may need fewer units
        this.#startNext()
        reject(signal?.reason)
      }
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', leave, { once: true })
      const queue = this.#queues.get(key) ?? []
      queue.push(waiting)
      this.#queues.set(key, queue)
      this.#startNext()
    })
  }

  #take(key: string, units: number): () => void {
    this.#use(key, units)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#use(key, -units)
      this.#startNext()
    }
  }

  #use(key: string, units: number): void {
    this.#used += units
    const used = (this.#usedBy.get(key) ?? 0) + units
    if (used > 0) this.#usedBy.set(key, used)
    else this.#usedBy.delete(key)
  }

  #leave(key: string, waiting: Waiting): void {
    const left = (this.#queues.get(key) ?? []).filter((other) => other !== waiting)
    if (left.length > 0) this.#queues.set(key, left)
    else this.#queues.delete(key)
  }

  #startNext(): void {
    const { total, perKey } = this.#limits
    for (const [key, [first]] of this.#queues) {
      if (!first) continue
      const used = this.#usedBy.get(key) ?? 0
      if (used > 0 && used + first.units > perKey) continue
      // no key overtakes the one whose turn it is, or large work would wait for ever
      if (this.#used > 0 && this.#used + first.units > total) return
      this.#leave(key, first)
      const rest = this.#queues.get(key)
      if (rest) {
        // its next turn comes after everybody else's
        this.#queues.delete(key)
        this.#queues.set(key, rest)
      }
      // takes its units before it returns
      first.start()
      return this.#startNext()
    }
  }
}
