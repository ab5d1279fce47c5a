import { hourMs } from '../durations.ts'

/** Results that took longer are reused. */
const slowMs = 3000
/** At most a fiftieth of the time is spent on slow results. */
const restFactor = 50
/** Limit for results that took very long, also because they waited for a semaphore. */
const maxReuseMs = hourMs

interface Known<Result> {
  result: Promise<Result>
  until: number
}

/**
 * Returns a function that runs `run` and reuses slow results of the same owner and values, which JSON can write, for fifty
 * times as long as they took, at most an hour. Calls meanwhile share them. Failures are not kept.
 */
export function reuseSlowResults<Owner extends object, Values extends readonly unknown[], Result>(
  run: (owner: Owner, ...values: Values) => Promise<Result>,
  now: () => number = () => performance.now(),
): (owner: Owner, ...values: Values) => Promise<Result> {
  const known = new WeakMap<Owner, Map<string, Known<Result>>>()
  return async (owner, ...values) => {
    const key = JSON.stringify(values)
    const results = known.get(owner) ?? new Map<string, Known<Result>>()
    known.set(owner, results)
    for (const [other, { until }] of results) if (now() >= until) results.delete(other)
    const found = results.get(key)
    if (found) return found.result
    const startedAt = now()
    const entry = { result: run(owner, ...values), until: Infinity }
    results.set(key, entry)
    try {
      const result = await entry.result
      const tookMs = now() - startedAt
      if (tookMs > slowMs) entry.until = startedAt + tookMs + Math.min(tookMs * restFactor, maxReuseMs)
      else results.delete(key)
      return result
    } catch (error) {
      results.delete(key)
      throw error
    }
  }
}
