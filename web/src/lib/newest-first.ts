/** Sorts by `createdAt`, newest first. Entries without a readable date keep their order, after all others. */
export function newestFirst<Item extends { createdAt: string }>(items: readonly Item[]): Item[] {
  const time = ({ createdAt }: Item) => {
    const parsed = Date.parse(createdAt)
    return Number.isNaN(parsed) ? -Infinity : parsed
  }
  return items.toSorted((a, b) => (time(a) === time(b) ? 0 : time(b) - time(a)))
}
