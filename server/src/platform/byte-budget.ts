import { AppError } from './errors.ts'

/** Bytes that many share. Who finds none left waits for them, and is refused when none are given back in time. */
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

  giveBack(bytes: number): void {
    this.#usedBytes -= bytes
    if (this.#usedBytes < this.#maxBytes) for (const goOn of this.#waiting) goOn()
  }

  /** Undefined when there are bytes left, or a promise for that. It throws `unavailable` after the longest wait. */
  room(): Promise<void> | undefined {
    if (this.#usedBytes < this.#maxBytes) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () =>
      reject(
        new AppError('unavailable', 'Too many files are on their way at this moment, please try again', {
          retryAfterSeconds: 10,
        }),
      )
    const timer = setTimeout(refuse, this.#maxWaitMs)
    const goOn = () => {
      clearTimeout(timer)
      this.#waiting.delete(goOn)
      resolve()
    }
    this.#waiting.add(goOn)
    return promise.finally(() => this.#waiting.delete(goOn))
  }
}
