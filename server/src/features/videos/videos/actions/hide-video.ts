import type { Context } from '../../../../context/context.ts'
import type { WithinTransaction, Db } from '../../../../context/database.ts'
import { forEachIsolated, runIsolated } from '@kinora/platform/concurrency/isolate.ts'
import { withdrawVideo } from '../../../messages/notifications/actions.ts'
import { listHidden } from '../../../pictures/queries.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { listCutVideos } from '../queries/cuts.ts'
import { updateTakedown } from '../queries/videos.ts'
import { lockAnyVideo, lockShownVideo } from '../queries/lock-videos.ts'
import { hiddenKey, idOfHidden, storagePrefixes } from '../../../../context/storage-keys.ts'

/** Takes a video down: only its owner sees it, with the reason. Throws `not_found`. */
export async function takeDown(
  { db, storage, jobs, cacheTags }: Pick<Context, 'db' | 'storage' | 'jobs' | 'cacheTags'>,
  id: string,
  reason: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { thumbnail } = await lockAnyVideo(transaction, id)
    await takeDownLockedVideo({ db: transaction, storage, jobs }, { id, thumbnail }, reason)
    await withinTransaction?.(transaction)
  })
  cacheTags.clear(['videos'])
}

/** Takes down a video whose row the caller has locked, in its transaction. */
export async function takeDownLockedVideo(
  { db, storage, jobs }: Pick<Context, 'db' | 'storage' | 'jobs'>,
  { id, thumbnail }: { id: string; thumbnail: string },
  reason: string,
): Promise<void> {
  for (const mark of [id, thumbnail]) await hideFiles({ storage }, mark)
  await updateTakedown(db, id, reason)
  await publishVisibility(db, id)
  await withdrawVideo({ db, jobs }, id)
}

/** Reinstates a video that was taken down. Throws `not_found`. */
export async function reinstate(
  { db, storage, cacheTags }: Pick<Context, 'db' | 'storage' | 'cacheTags'>,
  id: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await reinstateRow(transaction, id)
    await withinTransaction?.(transaction)
  })
  cacheTags.clear(['videos'])
  await showFiles({ db, storage }, id)
}

/** Reinstates a video in the caller's transaction. Its files stay hidden until `showFiles`. */
export async function reinstateRow(db: Db, id: string): Promise<void> {
  await updateTakedown(db, id, null)
  await publishVisibility(db, id)
}

/**
 * Synchronizes the hidden marks with the rows, after a killed process, a restored backup or a moved storage. An extra
 * mark costs a subrequest; a missing one would expose a file.
 */
export async function reconcileHiddenMarks({ db, storage }: Pick<Context, 'db' | 'storage'>): Promise<void> {
  const notPublic = (await listHidden(db)).flatMap(({ id, thumbnail }) => [id, thumbnail])
  const hidden = new Set([...notPublic, ...(await listCutVideos(db))])
  const marked = new Set<string>()
  for await (const { key } of storage.list(storagePrefixes.hidden)) marked.add(idOfHidden(key))
  await runIsolated(
    () => forEachIsolated(hidden, async (id) => marked.has(id) || hideFiles({ storage }, id)),
    () => forEachIsolated(marked, async (id) => hidden.has(id) || showFiles({ db, storage }, id)),
  )
}

/**
 * Creates the hidden marks of a video or a thumbnail: a reverse proxy that serves files directly then asks the server
 * about them. A bucket needs none.
 */
export async function hideFiles({ storage }: Pick<Context, 'storage'>, id: string): Promise<void> {
  const key = hiddenKey(id)
  if (storage.pathOf(key) === undefined || (await storage.head(key))) return
  await storage.put(key, new Uint8Array())
}

/** Removes the mark, unless the video is hidden: hiding creates the mark under the same lock. */
export async function showFiles({ db, storage }: Pick<Context, 'db' | 'storage'>, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const video = await lockShownVideo(transaction, id)
    const shown = video ? [...(video.isCut ? [] : [video.id]), video.thumbnail] : []
    for (const key of shown.map(hiddenKey))
      // a bucket has none, and no transaction waits for one
      if (storage.pathOf(key) !== undefined) await storage.delete(key)
  })
}
