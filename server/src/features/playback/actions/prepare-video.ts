import type { Context } from '../../../context.ts'
import { prepare } from '../jobs.ts'

/** Has everything made that will be asked for next, at the earliest after `delaySeconds`. For the transaction that publishes the video. */
export function prepareVideo(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  videoId: string,
  delaySeconds = 0,
): Promise<void> {
  return jobs.enqueue(db, prepare, { videoId }, { key: videoId, delaySeconds })
}
