/**
 * Runs `work` for every item, at most `concurrency` at a time. After a failure no further work starts, running work is
 * awaited, and the first failure is thrown.
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
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
  await Promise.all(Array.from({ length: concurrency }, workOn))
  failed.signal.throwIfAborted()
}
