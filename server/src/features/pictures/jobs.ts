import { z } from 'zod'
import type { Context } from '../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { listShownPictures } from './queries.ts'
import { isSuspiciousSweep, pictureIdOf, picturePrefix } from './rules.ts'
import { hiddenKey, listOwn, storagePrefixes } from '../../context/storage-keys.ts'

/** Deletes the files of an unused picture. */
export const deletePictureFiles = defineJob({
  name: 'pictures.delete_files',
  payload: z.object({ id: z.string() }),
  concurrency: 2,
  timeLimitSeconds: 300,
  retries: 10,
  handle: async ({ id }, { db, storage }: Context) => {
    const shown = await listShownPictures(db, [id])
    if (shown.length > 0) return
    await storage.delete(picturePrefix(id))
    await storage.delete(hiddenKey(id))
  },
})

const daySeconds = 24 * 60 * 60
const batchSize = 10_000

/**
 * Finds unused pictures: a process that is killed between storing a picture and inserting its row leaves one behind.
 * They are deleted a day later, unless a row references them by then. Throws, and deletes nothing, if too many are
 * unreferenced: that indicates the wrong database.
 */
export const sweepPictures = defineJob({
  name: 'pictures.sweep',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 1,
  cron: '41 3 * * 0',
  handle: async (_, { db, storage, jobs }: Context, signal) => {
    const unknown: string[] = []
    let total = 0
    let batch = new Set<string>()
    const flush = async () => {
      const shown = new Set(await listShownPictures(db, [...batch]))
      unknown.push(...[...batch].filter((id) => !shown.has(id)))
      total += batch.size
      batch = new Set()
    }
    for await (const { key } of listOwn(storage, storagePrefixes.pictures)) {
      signal.throwIfAborted()
      batch.add(pictureIdOf(key))
      if (batch.size >= batchSize) await flush()
    }
    await flush()
    if (isSuspiciousSweep(unknown.length, total))
      throw new Error(
        `The database does not mention ${unknown.length} of ${total} pictures, so none was deleted. Run \`kinora doctor\`.`,
      )
    for (const id of unknown) await jobs.enqueue(db, deletePictureFiles, { id }, { delaySeconds: daySeconds })
  },
})
