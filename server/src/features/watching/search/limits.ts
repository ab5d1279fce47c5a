import { defineLimit } from '../../../context/limits.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'

const concurrentPerAddress = 4
/** Limit of suggestions as a multiple of SEARCHES_PER_MINUTE: a typed search asks for several. */
const suggestionsPerSearch = 4

/** Limits per address; cached responses do not count. */
export const searchLimits = defineLimit(({ config, local }) => ({
  searches: local(config.searchesPerMinute, 60),
  /** Suggestions while a search is typed, and summaries and moments of searches. */
  suggestions: local(config.searchesPerMinute * suggestionsPerSearch, 60),
  /** Concurrent searches and suggestions per address and in total; more wait, so that database connections remain for other requests. */
  atOnce: new FairSemaphore({
    total: Math.max(1, Math.floor(config.databasePoolMax / 2)),
    perKey: concurrentPerAddress,
  }),
}))
