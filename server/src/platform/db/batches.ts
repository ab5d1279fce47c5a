import { setImmediate as turn } from 'node:timers/promises'

/** So many hear of their write before whatever else has come meanwhile has its turn. */
const atOnce = 16

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Writes things together that come at once: the first at once, and what comes while a batch is written, or in the rest
 * after it, in the next. Whoever added something hears of it when it is written.
 */
export class Batches<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #maxItems: number
  readonly #rest: () => Promise<unknown> | undefined
  readonly #waiting: Waiting<Item, Result>[] = []
  #isWriting = false

  /** `write` answers the results in the order of the items. `rest` is waited for between two batches. */
  constructor(
    write: (items: readonly Item[]) => Promise<readonly Result[]>,
    maxItems: number,
    rest: () => Promise<unknown> | undefined = () => undefined,
  ) {
    this.#write = write
    this.#maxItems = maxItems
    this.#rest = rest
  }

  /** Answers once the item is written; throws what writing its batch threw. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxItems)
      try {
        const results = await this.#write(batch.map(({ item }) => item))
        // `write` answers one for each, which may be undefined
        for (const [index, { resolve }] of batch.entries()) {
          resolve(results[index] as Result)
          if (index % atOnce === atOnce - 1) await turn()
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      await this.#rest()
    }
    this.#isWriting = false
  }
}
