import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { forEachIsolated, runIsolated } from '@kinora/platform/concurrency/isolate.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { discardPicture } from '../../pictures/actions.ts'
import { hideFiles } from '../videos/actions/hide-video.ts'
import { findVideo } from '../playback/actions/with-video.ts'
import { updateThumbnail } from '../videos/queries/videos.ts'
import { findLockedVideo } from '../videos/queries/lock-videos.ts'
import { isOpenToAll } from '../videos/rules.ts'
import { storeFrame } from './actions/early-thumbnail.ts'
import { removeUploadsOf } from './actions/unfinished-uploads.ts'
import { deleteOldDrafts, findFiles, isSourceNeeded, listUnfinished } from './queries.ts'
import { tailsOf, uploadIdOfTail } from './rules.ts'
import { hiddenKey, isStorageKey, listOwn, storagePrefixes } from '../../../context/storage-keys.ts'

/** Long after the slowest active upload. */
const sweepAfterMs = 3 * dayMs
/** Longer than the slowest upload takes. */
const draftsKeptMs = 14 * dayMs

/** Deletes stored parts of unfinished objects that killed processes left: invisible, but they use space. */
export const sweepUnfinished = defineJob({
  name: 'uploads.sweep_unfinished',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 1,
  cron: '17 4 * * *',
  handle: async (_, { db, storage, clock }: Context, signal) => {
    const before = (keptMs: number) => new Date(clock.now().getTime() - keptMs)
    await runIsolated(
      async () => {
        const needed = new Set((await listUnfinished(db)).map(({ sourceKey }) => sourceKey))
        // a bucket may be shared with other programs
        const isAbandoned = (key: string) => !signal.aborted && isStorageKey(key) && !needed.has(key)
        await storage.sweep(before(sweepAfterMs), isAbandoned)
      },
      async () => {
        // listed before the rows: a tail of an existing upload was stored before its row is read
        const tails = new Set<string>()
        for await (const { key } of listOwn(storage, storagePrefixes.unfinished))
          tails.add(uploadIdOfTail(key))
        for (const { id } of await listUnfinished(db)) tails.delete(id)
        await forEachIsolated(tails, (id) => storage.delete(tailsOf(id)), { signal })
      },
      async () => {
        for await (const { key } of listOwn(storage, storagePrefixes.probes)) await storage.delete(key)
      },
      () => deleteOldDrafts(db, before(draftsKeptMs)),
    )
  },
})

/** Gives a video that was published without a picture a frame of its file. Does nothing if it has got a picture meanwhile. */
export const storeLateFrame = defineJob({
  name: 'uploads.store_late_frame',
  payload: z.object({ videoId: z.string(), placeholder: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  handle: async ({ videoId, placeholder }, context: Context, signal) => {
    const { db, storage } = context
    const files = await findFiles(db, videoId)
    if (files?.thumbnail !== placeholder) return
    await using opened = await storage.open(files.sourceKey)
    if (!opened) return
    const picture = await storeFrame(context, opened.path, signal, await findVideo(context, videoId))
    const isTaken = await db.transaction().execute(async (transaction) => {
      const video = await findLockedVideo(transaction, videoId)
      if (video?.thumbnail !== placeholder) return false
      if (!isOpenToAll(video.visibility)) await hideFiles(context, picture)
      await updateThumbnail(transaction, videoId, picture)
      return true
    })
    await discardPicture(context, isTaken ? placeholder : picture)
    if (isTaken) context.cacheTags.clear(['videos'])
  },
})

/**
 * Deletes files that no video references, after a process may have been killed between storing them and inserting the
 * row. Enqueued before anything is stored.
 */
export const discardUnpublished = defineJob({
  name: 'uploads.discard_unpublished',
  payload: z.object({ videoId: z.string(), sourceKey: z.string().nullable(), thumbnail: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 10,
  handle: async ({ videoId, sourceKey, thumbnail }, context: Context) => {
    const video = await findFiles(context.db, videoId)
    // several attempts may publish the same source, so it does not show which of them did
    const isPublished = sourceKey === null ? video?.thumbnail === thumbnail : video?.sourceKey === sourceKey
    if (isPublished) return
    if (sourceKey !== null) await context.storage.delete(sourceKey)
    await discardPicture(context, thumbnail)
    if (!video) await context.storage.delete(hiddenKey(videoId))
  },
})

/** Deletes a source that no video and no unfinished upload mentions. */
export const deleteSource = defineJob({
  name: 'uploads.delete_source',
  payload: z.object({ sourceKey: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 10,
  handle: async ({ sourceKey }, { db, storage }: Context) => {
    if (!(await isSourceNeeded(db, sourceKey))) await storage.delete(sourceKey)
  },
})

/** Deletes the unfinished uploads of a deleted account. */
export const discardUnfinished = defineJob({
  name: 'uploads.discard_unfinished',
  payload: z.object({ ownerId: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 10,
  handle: ({ ownerId }, context: Context) => removeUploadsOf(context, ownerId),
})
