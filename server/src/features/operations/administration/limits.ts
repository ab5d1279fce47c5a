import { defineLimit } from '../../../context/limits.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'

/** Concurrent searches of moderators, which read every row: each holds a database connection for up to two minutes. */
export const moderatorSearchesAtOnce = defineLimit(() => new FairSemaphore({ total: 2, perKey: 1 }))
