import type { Context } from '../../../../context/context.ts'
import { notifyOfNewVideo } from '../../../messages/notifications/actions.ts'
import { insertPublishedEvent } from '../../../messages/webhooks/queries.ts'

/** Notifies webhooks and subscribers of a video that became public. Does nothing for one that is not public then. */
export async function announceVideo(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  videoId: string,
): Promise<void> {
  await insertPublishedEvent(db, videoId)
  await notifyOfNewVideo({ db, jobs }, videoId)
}
