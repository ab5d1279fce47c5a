import type { Context } from '../../../context.ts'
import { notifyOfVideo } from '../../notifications/actions.ts'
import { insertPublishedEvent } from '../../webhooks/queries.ts'

/** Notifies webhooks and subscribers of a video that became public. Does nothing for one that is not public then. */
export async function announceVideo(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  videoId: string,
): Promise<void> {
  await insertPublishedEvent(db, videoId)
  await notifyOfVideo({ db, jobs }, videoId)
}
