/** A load as hls.js reports it; `end` is 0 until it has ended. Times are in milliseconds. */
export interface Load {
  loaded: number
  loading: { first: number; end: number }
}

/** Bytes of other loads that arrived while one did. Each is taken to have arrived evenly. */
export function parallelBytes({ loading: { first, end } }: Load, others: readonly Load[]): number {
  return others.reduce((sum, { loaded, loading }) => {
    if (loading.first === 0) return sum
    const otherEnd = loading.end || end
    const togetherMs = Math.min(end, otherEnd) - Math.max(first, loading.first)
    return sum + (loaded * Math.max(0, togetherMs)) / Math.max(1, otherEnd - loading.first)
  }, 0)
}
