import type { Context } from '../../../context.ts'
import { publishDue } from '../queries/visibility.ts'
import { showFiles } from './hide-video.ts'

/** Makes scheduled videos public whose time has come. Returns their ids. */
export async function publishDueVideos({
  db,
  storage,
  clock,
}: Pick<Context, 'db' | 'storage' | 'clock'>): Promise<string[]> {
  const ids = await publishDue(db, clock.now())
  for (const id of ids) await showFiles({ db, storage }, id)
  return ids
}
