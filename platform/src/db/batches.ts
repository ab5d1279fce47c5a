import { setImmediate as nextTick } from 'node:timers/promises'

/** Results delivered before the event loop gets a turn, so that a large batch does not delay other requests. */
const resultsPerTick = 16

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Batches concurrent writes. The first item is written immediately; items that are added during a write, or during the
 * pause after it, form the next batch.
 */
export class Batches<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #maxItems: number
  readonly #pause: () => Promise<unknown> | undefined
  readonly #waiting: Waiting<Item, Result>[] = []
  #isWriting = false

  /** `write` returns the results in the order of the items. `pause` is awaited between two batches. */
  constructor(
    write: (items: readonly Item[]) => Promise<readonly Result[]>,
    maxItems: number,
    pause: () => Promise<unknown> | undefined = () => undefined,
  ) {
    this.#write = write
    this.#maxItems = maxItems
    this.#pause = pause
  }

  /** Resolves when the item is written. Rejects with the error of its batch. */
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
        // Result may include undefined, so a missing index cannot be detected by type
        for (const [index, { resolve }] of batch.entries()) {
          resolve(results[index] as Result)
          if (index % resultsPerTick === resultsPerTick - 1) await nextTick()
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      await this.#pause()
    }
    this.#isWriting = false
  }
}
