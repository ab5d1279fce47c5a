import type { Context } from '../../../context.ts'
import { listHidden } from '../../pictures/queries.ts'
import { lockAnyVideo, lockShownVideo, updateTakedown } from '../queries/videos.ts'
import { HIDDEN_PREFIX, hiddenKey, idOfHidden } from '../rules.ts'

/** Hides a video from everybody but its owner, who reads the reason. Throws `not_found`. */
export async function takeDown(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  id: string,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { thumbnail } = await lockAnyVideo(transaction, id)
    for (const mark of [id, thumbnail]) await hideFiles({ storage }, mark)
    await updateTakedown(transaction, id, reason)
  })
}

/** Brings a video back that was taken down. Throws `not_found`. */
export async function reinstate({ db, storage }: Pick<Context, 'db' | 'storage'>, id: string): Promise<void> {
  await updateTakedown(db, id, null)
  await showFiles({ db, storage }, id)
}

/**
 * Makes the marks what the rows say, after a killed process, a restored backup or a moved storage. A mark too many costs
 * a question, one too few would show what is not for everybody.
 */
export async function matchHidden({ db, storage }: Pick<Context, 'db' | 'storage'>): Promise<void> {
  const hidden = new Set((await listHidden(db)).flatMap(({ id, thumbnail }) => [id, thumbnail]))
  const marked = new Set<string>()
  for await (const { key } of storage.list(HIDDEN_PREFIX)) marked.add(idOfHidden(key))
  for (const id of hidden) if (!marked.has(id)) await hideFiles({ storage }, id)
  for (const id of marked) if (!hidden.has(id)) await showFiles({ db, storage }, id)
}

/** Marks the files of a video, or those of its thumbnail: a web server that sends them by itself asks us from now on. In a bucket there is none. */
export async function hideFiles({ storage }: Pick<Context, 'storage'>, id: string): Promise<void> {
  const key = hiddenKey(id)
  if (storage.pathOf(key) === undefined || (await storage.find(key))) return
  await storage.put(key, new Uint8Array())
}

/** Takes the mark off again, unless nobody may see the video: what hides it marks it under the same lock. */
export async function showFiles({ db, storage }: Pick<Context, 'db' | 'storage'>, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const video = await lockShownVideo(transaction, id)
    for (const mark of video ? [video.id, video.thumbnail] : []) await storage.delete(hiddenKey(mark))
  })
}
