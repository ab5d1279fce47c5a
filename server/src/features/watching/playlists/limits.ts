import { defineLimit } from '../../../context/limits.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'

/** Concurrent reads of pages of exported playlists, per address and in total. */
export const playlistExportsAtOnce = defineLimit(() => new FairSemaphore({ total: 4, perKey: 1 }))
