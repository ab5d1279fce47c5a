/** Runs at most `permits` operations at a time. Others wait in first-in, first-out order. */
export class Semaphore {
  #permits: number
  readonly #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#permits = permits
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#permits > 0) this.#permits -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#permits += 1
    }
  }
}
