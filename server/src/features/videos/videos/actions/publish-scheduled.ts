import type { Context } from '../../../../context/context.ts'
import { forEachIsolated } from '@kinora/platform/concurrency/isolate.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { publishDue } from '../queries/publication.ts'
import { announceVideo } from './announce-video.ts'
import { showFiles } from './hide-video.ts'

/** Makes scheduled videos public whose time has come. Returns their ids. */
export async function publishScheduledVideos({
  db,
  storage,
  jobs,
  clock,
}: Pick<Context, 'db' | 'storage' | 'jobs' | 'clock'>): Promise<string[]> {
  const ids = await db.transaction().execute(async (transaction) => {
    const due = await publishDue(transaction, clock.now())
    for (const id of due) {
      await publishVisibility(transaction, id)
      await announceVideo({ db: transaction, jobs }, id)
    }
    return due
  })
  await forEachIsolated(ids, (id) => showFiles({ db, storage }, id))
  return ids
}
