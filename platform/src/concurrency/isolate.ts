/**
 * Runs `work` for each item, one after the other; a failure does not stop the others. Throws an `AggregateError` of all failures
 * at the end, or the reason of an aborted signal.
 */
export async function forEachIsolated<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  { signal, onFailure }: { signal?: AbortSignal; onFailure?: (error: unknown, item: Item) => void } = {},
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) {
    signal?.throwIfAborted()
    try {
      await work(item)
    } catch (error) {
      onFailure?.(error, item)
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} failed: ${String(failures[0])}`)
}

/** Runs each of the steps like `forEachIsolated`. */
export const runIsolated = (...steps: (() => Promise<unknown>)[]): Promise<void> =>
  forEachIsolated(steps, (step) => step())
