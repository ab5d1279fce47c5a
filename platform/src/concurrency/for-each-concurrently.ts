import pMap from 'p-map'

/**
 * Runs `work` for every item, at most `concurrency` at a time. After a failure no further work starts, running work is
 * awaited, so that it can clean up, and the first failure is thrown. p-map alone rejects while other work is running.
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const attempt = async (item: Item) => {
    if (failures.length > 0) return
    await work(item).catch((error: unknown) => failures.push(error))
  }
  await pMap(items, attempt, { concurrency })
  if (failures.length > 0) throw failures[0]
}
