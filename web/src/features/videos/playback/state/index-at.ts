/** Index of the item at a position, or -1 where there is none. `items` are in order of time. */
export function indexAt(items: readonly { startSeconds: number }[], seconds: number): number {
  return items.findLastIndex(({ startSeconds }) => startSeconds <= seconds)
}
