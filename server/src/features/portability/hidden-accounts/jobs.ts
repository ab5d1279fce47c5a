import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { cacheTags as allTags } from '../../../context/cache-tags.ts'
import type { Context } from '../../../context/context.ts'
import { retryDeadlocks } from '@kinora/platform/db/errors/deadlock.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { hideSomeOf, showSomeOf } from '../../conversation/comments/queries/deletions.ts'
import { withdrawVideo } from '../../messages/notifications/actions.ts'
import { hideFiles, showFiles } from '../../videos/videos/actions/hide-video.ts'
import { updateTakedowns } from '../../videos/videos/queries/videos.ts'
import { publishVisibility } from '../../visibility/queries.ts'
import { deleteHiddenAccount, lockHiddenAccount, lockUnmatched } from './queries.ts'
import { hiddenReasons } from './rules.ts'

const videosPerBatch = 100
const commentsPerBatch = 2000

/**
 * Hides the videos and comments of an account one batch after the other, or shows them again, and rests as long as each of them
 * took. Each batch reads again which of both is wanted.
 */
export const reconcileHiddenAccount = defineJob({
  name: 'accounts.match_hidden',
  payload: z.object({ id: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 12 * 3600,
  retries: 20,
  handle: async ({ id }, context: Context, signal) => {
    for (let isDone = false; !isDone;) {
      signal.throwIfAborted()
      const startedAt = performance.now()
      isDone = await matchBatch(context, id)
      await delay(performance.now() - startedAt, undefined, { signal })
    }
    context.cacheTags.clear(allTags)
  },
})

/** Returns whether nothing is left to do. */
async function matchBatch({ db, storage, jobs }: Context, id: string): Promise<boolean> {
  const { isDone, shown } = await retryDeadlocks(() =>
    db.transaction().execute(async (transaction) => {
      const account = await lockHiddenAccount(transaction, id)
      if (!account) return { isDone: true, shown: [] }
      const { cause } = account
      const videos = await lockUnmatched(transaction, id, cause, videosPerBatch)
      if (cause !== null) {
        for (const { id: videoId, thumbnail } of videos) {
          for (const mark of [videoId, thumbnail]) await hideFiles({ storage }, mark)
          await withdrawVideo({ db: transaction, jobs }, videoId)
        }
      }
      const ids = videos.map((video) => video.id)
      await updateTakedowns(transaction, ids, cause === null ? null : hiddenReasons[cause])
      await publishVisibility(transaction, id)
      const comments =
        cause === null
          ? await showSomeOf(transaction, id, commentsPerBatch)
          : await hideSomeOf(transaction, id, cause, commentsPerBatch)
      const hasMore = videos.length > 0 || comments > 0
      if (!hasMore) await deleteHiddenAccount(transaction, id)
      return { isDone: !hasMore, shown: cause === null ? videos : [] }
    }),
  )
  for (const video of shown) await showFiles({ db, storage }, video.id)
  return isDone
}
