import { errors } from '@kinora/contract/errors.ts'
import { AppError } from '../errors.ts'

/** A shared limit of bytes. Requests beyond it wait until bytes are released, and are refused after `maxWaitMs`. */
export class ByteBudget {
  readonly #maxBytes: number
  readonly #maxWaitMs: number
  #usedBytes = 0
  readonly #waiting = new Set<() => void>()

  constructor(maxBytes: number, maxWaitMs: number) {
    this.#maxBytes = maxBytes
    this.#maxWaitMs = maxWaitMs
  }

  take(bytes: number): void {
    this.#usedBytes += bytes
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
    if (this.#usedBytes < this.#maxBytes) for (const wake of this.#waiting) wake()
  }

  /** Undefined while bytes are left; otherwise a promise of that, which rejects with `unavailable` after `maxWaitMs`. */
  room(): Promise<void> | undefined {
    if (this.#usedBytes < this.#maxBytes) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () =>
      reject(
        new AppError(errors.tooManyTransfers, {
          retryAfterSeconds: 10,
        }),
      )
    const timer = setTimeout(refuse, this.#maxWaitMs)
    const wake = () => {
      clearTimeout(timer)
      this.#waiting.delete(wake)
      resolve()
    }
    this.#waiting.add(wake)
    return promise.finally(() => this.#waiting.delete(wake))
  }
}
