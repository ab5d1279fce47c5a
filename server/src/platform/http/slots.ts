import { AppError } from '../errors.ts'

/** So many at once per key, counted in the memory of this process. */
export class Slots {
  readonly #limit: number
  readonly #refusal: string
  readonly #taken = new Map<string, number>()

  constructor(limit: number, refusal: string) {
    this.#limit = limit
    this.#refusal = refusal
  }

  /** Takes a slot until it is disposed. Throws `too_many_requests` when none is left. */
  take(key: string): Disposable {
    const taken = this.#taken.get(key) ?? 0
    if (taken >= this.#limit) {
      throw new AppError('too_many_requests', this.#refusal, { retryAfterSeconds: 30 })
    }
    this.#taken.set(key, taken + 1)
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return
        isHeld = false
        const left = (this.#taken.get(key) ?? 1) - 1
        if (left > 0) this.#taken.set(key, left)
        else this.#taken.delete(key)
      },
    }
  }
}
