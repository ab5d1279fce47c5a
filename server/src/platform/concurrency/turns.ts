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

/** The same for each key. */
export class TurnsByKey {
  readonly #atOnce: number
  readonly #turns = new Map<string, { turns: Turns; users: number }>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const entry = this.#turns.get(key) ?? { turns: new Turns(this.#atOnce), users: 0 }
    this.#turns.set(key, entry)
    entry.users += 1
    try {
      return await entry.turns.run(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) this.#turns.delete(key)
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
