import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deleteLockedVideo, discardHiddenThumbnail } from '../videos/actions/change-video.ts'
import { findLockedVideo } from '../videos/queries/lock-videos.ts'
import { deleteManyRows } from './actions/delete-many-rows.ts'

/** Deletes a video that was taken down because this takes long. */
export const removeVideo = defineJob({
  name: 'videos.remove',
  payload: z.object({ id: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 12 * 3600,
  retries: 20,
  exclusive: true,
  handle: async ({ id }, context: Context, signal) => {
    await deleteManyRows((work) => work(context.db), id, signal)
    const deleted = await context.db.transaction().execute(async (db) => {
      const video = await findLockedVideo(db, id)
      if (video) await deleteLockedVideo({ ...context, db }, id, video)
      return video
    })
    if (deleted) await discardHiddenThumbnail(context, deleted)
  },
})
