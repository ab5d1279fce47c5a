import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Context } from '../../../../context/context.ts'
import { forEachIsolated, runIsolated } from '@kinora/platform/concurrency/isolate.ts'
import { hourMs } from '@kinora/platform/durations.ts'
import { isOwnerRunning } from '@kinora/platform/process-identity.ts'
import { draftsOf } from '@kinora/platform/storage/local.ts'
import { deleteSource } from '../jobs.ts'
import { deleteUntouched, deleteUploadedBytes, listAwaitedUploads, listUntouched } from '../queries.ts'
import { tailsOf } from '../rules.ts'
import { UploadLocker } from './upload-locker.ts'
import { orWhenMissing } from '@kinora/platform/files/or-when-missing.ts'

/** An hour without bytes or inspection means that the process was killed. */
const incomingHours = 1
/** How long an interrupted upload can be resumed. */
const resumableHours = 24
/** A recording cannot be made again, unlike a file that can be chosen again. */
const growingHours = 7 * 24
/** Longer than the day that they count for: the publication of a slow upload must not count it again. */
const uploadedBytesHours = 7 * 24
/**
 * A running process needs its files for longer: the first file of a form waits for the last one, however slowly that
 * arrives.
 */
const runningHours = 7 * 24

type ClearContext = Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'storage' | 'clock' | 'locks' | 'pubsub'>

/**
 * Deletes leftovers of killed processes and disconnected clients on this machine's disk: received files, drafts of the
 * storage, and unfinished resumable uploads. Files of a process that is gone are deleted immediately, others when they
 * are old. Returns their number. What cannot be deleted holds up nothing else; its errors are thrown at the end.
 */
export async function clearStale(context: ClearContext): Promise<number> {
  const { config, clock } = context
  const now = clock.now().getTime()
  let cleared = 0
  const received = [path.join(config.dataDir, 'incoming'), draftsOf(path.join(config.dataDir, 'storage'))]
  await runIsolated(
    ...received.map((directory) => () => clearOlder(directory, now, (count) => (cleared += count))),
    () => clearOldUploads(context, now, (count) => (cleared += count)),
    () => clearUntouched(context, now, (count) => (cleared += count)),
    () => deleteUploadedBytes(context.db, new Date(now - uploadedBytesHours * hourMs)),
  )
  return cleared
}

type Count = (deleted: number) => unknown

/** Deletes files of processes that are gone, and old ones. */
async function clearOlder(directory: string, nowMs: number, count: Count): Promise<void> {
  const names = await readdir(directory).catch(orWhenMissing([]))
  await forEachIsolated(names, async (name) => {
    const isRunning = isOwnerRunning(name)
    const keptMs = (isRunning ? runningHours : incomingHours) * hourMs
    const file = path.join(directory, name)
    if (isRunning !== false && (await changedMsOf(file)) >= nowMs - keptMs) return
    await rm(file, { recursive: true, force: true })
    count(1)
  })
}

/** Deletes resumable uploads on the disk that nobody has continued for long, and that no import waits for. */
async function clearOldUploads(context: ClearContext, nowMs: number, count: Count): Promise<void> {
  const directory = path.join(context.config.dataDir, 'uploads')
  const names = await readdir(directory).catch(orWhenMissing<string[]>([]))
  const awaited = new Set(await listAwaitedUploads(context.db))
  const locker = new UploadLocker(context)
  const ids = new Set(names.map((name) => name.replace(/\.json$/, '')))
  await forEachIsolated(ids, async (id) => {
    const files = [id, `${id}.json`].map((name) => path.join(directory, name))
    const isOld = async () => {
      // the younger of the upload and its metadata
      const changed = Math.max(...(await Promise.all(files.map(changedMsOf))))
      if (changed >= nowMs - resumableHours * hourMs) return false
      return changed < nowMs - growingHours * hourMs || !(await isGrowing(files[1] ?? ''))
    }
    if (awaited.has(id) || !(await isOld())) return
    // again under the lock, because it may be continued just now
    await locker.tryHold(id, async () => {
      if (!(await isOld())) return
      for (const file of files) {
        if (!names.includes(path.basename(file))) continue
        await rm(file, { recursive: true, force: true })
        count(1)
      }
    })
  })
}

/** Whether the metadata of an upload state no length yet. */
async function isGrowing(metadataFile: string): Promise<boolean> {
  const text = await readFile(metadataFile, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const { success, data } = GrowingMetadata.safeParse(jsonOf(text))
  return success && data.size === undefined
}

const GrowingMetadata = z.object({ size: z.number().optional() })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A hard link made to publish an old upload changes ctime, not mtime. A file deleted meanwhile counts as 0. */
async function changedMsOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.ctimeMs ?? 0
}

/** Deletes unpublished uploads in a bucket that were not continued since. */
async function clearUntouched(context: ClearContext, nowMs: number, count: Count): Promise<void> {
  const { db, jobs, storage } = context
  const { parts } = storage
  if (!parts) return
  const before = {
    declared: new Date(nowMs - resumableHours * hourMs),
    growing: new Date(nowMs - growingHours * hourMs),
  }
  await forEachIsolated(await listUntouched(db, before), async (id) => {
    const deleted = await db.transaction().execute(async (transaction) => {
      const row = await deleteUntouched(transaction, id, before)
      if (row) await jobs.enqueue(transaction, deleteSource, { sourceKey: row.sourceKey })
      return row
    })
    if (!deleted) return
    count(1)
    // without a row, `sweepUnfinished` deletes later what remains
    await runIsolated(
      () => parts.abort(deleted.sourceKey, deleted.partsId),
      () => storage.delete(tailsOf(id)),
    )
  })
}
