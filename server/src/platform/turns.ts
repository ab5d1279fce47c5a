/** Runs so many at once, the others in their turn. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

/**
 * Does `work` for every item, so many at once. After a failure none is begun any more, those that were are waited for,
 * and the failure is thrown.
 */
export async function forEachInTurn<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const failed = new AbortController()
  const workOn = async () => {
    for (const item of left) {
      if (failed.signal.aborted) return
      await work(item).catch((error: unknown) => failed.abort(error))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, workOn))
  failed.signal.throwIfAborted()
}
