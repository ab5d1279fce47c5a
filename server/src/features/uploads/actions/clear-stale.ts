import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../../../context.ts'
import { hourMs } from '../../../platform/durations.ts'
import { isOwnerRunning } from '../../../platform/process-identity.ts'
import { draftsOf } from '../../../platform/storage/local.ts'
import { deleteUploadedBytes } from '../queries.ts'
import { removeUntouched } from './unfinished-uploads.ts'
import { orIfMissing } from '../../../platform/files/or-if-missing.ts'

/** An hour without bytes or inspection means that the process was killed. */
const incomingHours = 1
/** How long an interrupted upload can be resumed. */
const resumableHours = 24
/** Longer than the day that they count for: the publication of a slow upload must not count it again. */
const uploadedBytesHours = 7 * 24
/**
 * A running process needs its files for longer: the first file of a form waits for the last one, however slowly that
 * arrives.
 */
const runningHours = 7 * 24

type ClearContext = Pick<Context, 'config' | 'db' | 'storage' | 'clock' | 'siteSettings'>

/**
 * Deletes leftovers of killed processes and disconnected clients on this machine's disk: received files, drafts of the
 * storage, and unfinished resumable uploads. Files of a process that is gone are deleted immediately, others when they
 * are old. Returns their number.
 */
export async function clearStale(context: ClearContext): Promise<number> {
  const { config, clock } = context
  const now = clock.now().getTime()
  const cleared = await Promise.all([
    clearOlder(path.join(config.dataDir, 'incoming'), now, incomingHours),
    clearOlder(draftsOf(path.join(config.dataDir, 'storage')), now, incomingHours),
    clearOlder(path.join(config.dataDir, 'uploads'), now, resumableHours),
    removeUntouched(context, new Date(now - resumableHours * hourMs)),
  ])
  await deleteUploadedBytes(context.db, new Date(now - uploadedBytesHours * hourMs))
  return cleared.reduce((sum, count) => sum + count, 0)
}

/** Deletes old resumable uploads, judged by the younger of the upload and its metadata (`id` and `id.json`). */
async function clearOlder(directory: string, nowMs: number, hours: number): Promise<number> {
  const names = await readdir(directory).catch(orIfMissing([]))
  const ages = new Map<string, number>()
  for (const name of names) {
    const stem = name.replace(/\.json$/, '')
    // A hard link made to publish an old upload changes ctime, not mtime. A file deleted meanwhile counts as 0.
    const changedAt = (await stat(path.join(directory, name)).catch(() => undefined))?.ctimeMs ?? 0
    ages.set(stem, Math.max(ages.get(stem) ?? 0, changedAt))
  }
  const stale = names.filter((name) => {
    const isRunning = isOwnerRunning(name)
    const keptMs = (isRunning ? runningHours : hours) * hourMs
    return isRunning === false || (ages.get(name.replace(/\.json$/, '')) ?? 0) < nowMs - keptMs
  })
  await Promise.all(stale.map((name) => rm(path.join(directory, name), { recursive: true, force: true })))
  return stale.length
}
