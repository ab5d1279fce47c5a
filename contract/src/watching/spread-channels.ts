/** Videos of one channel that may follow each other. */
const MAX_IN_A_ROW = 2

/**
 * Reorders a list as little as possible, so that at most two items in a row are of the same channel. Items that no order
 * can place are left out, unless every item is of one channel.
 */
export function spreadChannels<Item>(items: readonly Item[], channelOf: (item: Item) => string): Item[] {
  if (new Set(items.map(channelOf)).size < 2) return [...items]
  const left = [...items]
  const spread: Item[] = []
  while (left.length > 0) {
    const last = spread.slice(-MAX_IN_A_ROW).map(channelOf)
    const isFull = last.length === MAX_IN_A_ROW && new Set(last).size === 1
    const at = left.findIndex((item) => !isFull || channelOf(item) !== last[0])
    if (at === -1) break
    spread.push(...left.splice(at, 1))
  }
  return spread
}
