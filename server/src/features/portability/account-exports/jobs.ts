import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { forEachIsolated } from '@kinora/platform/concurrency/isolate.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { listOwn, storagePrefixes } from '../../../context/storage-keys.ts'
import { makeExport } from './actions/make-export.ts'
import { deleteExpiredExports, listUnknownExports, updateRunningExport } from './queries/exports.ts'
import { idOfExport } from './rules.ts'

/** Makes the archive of an account. */
export const makeAccountExport = defineJob({
  name: 'account_exports.make',
  payload: z.object({ id: z.string() }),
  concurrency: 3,
  timeLimitSeconds: 12 * 3600,
  retries: 3,
  maxAttempts: 25,
  handle: async ({ id }, context: Context, signal) => makeExport(context, id, signal),
  giveUp: async ({ id }, { db }) => {
    await updateRunningExport(db, id, { state: 'failed' })
  },
})

/** Deletes exports that have expired, and archives without an export. */
export const sweepAccountExports = defineJob({
  name: 'account_exports.sweep',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 600,
  retries: 5,
  cron: '*/15 * * * *',
  handle: async (_, { db, storage, clock }: Context, signal) => {
    await deleteExpiredExports(db, clock.now())
    const keys: string[] = []
    for await (const { key } of listOwn(storage, storagePrefixes.exports)) keys.push(key)
    const unknown = new Set(await listUnknownExports(db, keys.map(idOfExport)))
    const unused = keys.filter((key) => unknown.has(idOfExport(key)))
    await forEachIsolated(unused, (key) => storage.delete(key), { signal })
  },
})
