interface Limits {
  /** Limit of units in use by all keys together. */
  total: number
  /** Limit of units in use by one key. */
  perKey: number
}

interface Waiter {
  units: number
  start: () => void
}

/**
 * A semaphore that no key can monopolize: each key has a limit, and waiting keys are served round robin. Work that
 * needs more than the total number of units runs alone.
 */
export class FairSemaphore {
  readonly #limits: Limits
  #used = 0
  readonly #usedBy = new Map<string, number>()
  /** In round-robin order. */
  readonly #queues = new Map<string, Waiter[]>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Runs `work` when one unit is free. Rejects with the signal's reason if the signal aborts first. */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(key, 1, signal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Takes units and returns the function that releases them. Rejects with the signal's reason if the signal aborts first. */
  acquire(key: string, units = 1, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        units,
        start: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve(this.#take(key, units))
        },
      }
      const onAbort = () => {
        this.#dequeue(key, waiter)
        // the next in the queue may need fewer units
        this.#startNext()
        reject(signal?.reason)
      }
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      const queue = this.#queues.get(key) ?? []
      queue.push(waiter)
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

  #dequeue(key: string, waiter: Waiter): void {
    const left = (this.#queues.get(key) ?? []).filter((other) => other !== waiter)
    if (left.length > 0) this.#queues.set(key, left)
    else this.#queues.delete(key)
  }

  #startNext(): void {
    const { total, perKey } = this.#limits
    for (const [key, [first]] of this.#queues) {
      if (!first) continue
      const used = this.#usedBy.get(key) ?? 0
      if (used > 0 && used + first.units > perKey) continue
      // no other key may overtake, or large work would starve
      if (this.#used > 0 && this.#used + first.units > total) return
      this.#dequeue(key, first)
      const rest = this.#queues.get(key)
      if (rest) {
        // the key moves to the end of the round
        this.#queues.delete(key)
        this.#queues.set(key, rest)
      }
      // takes its units before it returns
      first.start()
      return this.#startNext()
    }
  }
}
