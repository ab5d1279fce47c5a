import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { picturePrefix } from '../../pictures/rules.ts'
import { publishScheduledVideos } from './actions/publish-scheduled.ts'
import { foldViews } from './queries/views.ts'
import { hiddenKey, storagePrefixes } from '../../../context/storage-keys.ts'

/** Deletes all files of a deleted video, and in the last run its marks. Missing files are ignored. */
export const deleteVideoFiles = defineJob({
  name: 'videos.delete_files',
  payload: z.object({ id: z.string(), thumbnail: z.string(), isLast: z.boolean().default(false) }),
  concurrency: 2,
  timeLimitSeconds: 600,
  retries: 10,
  handle: async ({ id, thumbnail, isLast }, { storage, log }: Context, signal) => {
    for (const prefix of [
      `${storagePrefixes.sources}${id}/`,
      `${storagePrefixes.live}${id}/`,
      `${storagePrefixes.segments}${id}/`,
      picturePrefix(thumbnail),
    ]) {
      signal.throwIfAborted()
      await storage.delete(prefix)
    }
    if (isLast) for (const mark of [id, thumbnail]) await storage.delete(hiddenKey(mark))
    log.info({ videoId: id }, 'video files deleted')
  },
})

/**
 * Makes scheduled videos public when their time comes. Also runs periodically, for videos that were locked when their
 * job ran.
 */
export const publishScheduled = defineJob({
  name: 'videos.publish_scheduled',
  payload: z.object({}),
  concurrency: 1,
  pollSeconds: 0.5,
  timeLimitSeconds: 60,
  retries: 10,
  // the job of a video whose time changes while its job runs must not be lost
  exclusive: false,
  cron: '* * * * *',
  handle: async (_, context: Context) => {
    for (const videoId of await publishScheduledVideos(context))
      context.log.info({ videoId }, 'video published')
  },
})

const videosPerFold = 500

/** Merges the views of the last minute into the counts. Until then every read adds the pending ones. */
export const foldPendingViews = defineJob({
  name: 'videos.fold_views',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '* * * * *',
  handle: async (_, { db }: Context, signal) => {
    let folded = videosPerFold
    while (folded === videosPerFold && !signal.aborted) folded = await foldViews(db, videosPerFold)
  },
})
