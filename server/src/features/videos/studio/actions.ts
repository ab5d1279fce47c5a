import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { toSourceTime } from '@kinora/contract/videos/cut-times.ts'
import type { ChangeResult } from '@kinora/contract/videos/studio.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { readFrameAt } from '@kinora/media/pictures/frame.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { SourceRefused } from '@kinora/media/source/source-info.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import {
  discardPicture,
  type PictureContext,
  deletePictureLater,
  storePicture,
} from '../../pictures/actions.ts'
import { getPlayable } from '../playback/queries.ts'
import { limitInspections } from '../uploads/actions/limit-inspections.ts'
import { assertNotLive, assertOwner, lockOwnVideo } from '../videos/actions/change-video.ts'
import { hideFiles } from '../videos/actions/hide-video.ts'
import { updateThumbnail } from '../videos/queries/videos.ts'
import { lockVideo } from '../videos/queries/lock-videos.ts'
import { isOpenToAll } from '../videos/rules.ts'

/**
 * Changes several videos one after the other and returns the result of each. A failure does not stop the others.
 */
export async function forEachVideo<Item extends { _id: string }>(
  { log }: Pick<Context, 'log'>,
  videos: readonly Item[],
  change: (video: Item) => Promise<void>,
): Promise<ChangeResult[]> {
  const results: ChangeResult[] = []
  for (const video of videos) {
    const { _id } = video
    try {
      await change(video)
      results.push({ _id, error: null, cause: null })
    } catch (error) {
      const isExpected = error instanceof AppError
      if (!isExpected) log.error({ err: error, videoId: _id }, 'video could not be changed')
      const { message, reason, params } = isExpected ? error : new AppError(videoErrors.somethingWrong)
      results.push({ _id, error: message, cause: { reason, params } })
    }
  }
  return results
}

interface ThumbnailChecks {
  alsoCheck?: ((transaction: Db) => Promise<void>) | undefined
  /** Locks a video that the user may change: by default one that the user sees. */
  lock?: typeof lockVideo
}

/**
 * Replaces the thumbnail of an own video; the old files are deleted later. Throws `not_found`, or `forbidden` for other
 * users.
 */
export async function replaceOwnThumbnail(
  context: Pick<Context, 'db' | 'jobs'> & PictureContext,
  id: string,
  userId: string,
  file: string,
  { alsoCheck, lock = lockVideo }: ThumbnailChecks = {},
): Promise<void> {
  const picture = await storePicture(context, file, 'thumbnail', videoErrors.pictureTypes)
  try {
    const replaced = await context.db.transaction().execute(async (transaction) => {
      const video = await lock(transaction, id, userId)
      assertOwner(video, userId)
      await alsoCheck?.(transaction)
      if (!isOpenToAll(video.visibility)) await hideFiles(context, picture)
      await updateThumbnail(transaction, id, picture)
      await deletePictureLater(context, transaction, video.thumbnail)
      return video
    })
    // No row hides the old picture any more, so it would be public until the job runs.
    if (!isOpenToAll(replaced.visibility)) await discardPicture(context, replaced.thumbnail)
  } catch (error) {
    await discardPicture(context, picture)
    throw error
  }
}

/**
 * Makes the frame that players show at `seconds` the thumbnail of an own video. Throws `not_found`, `forbidden` for other
 * users, `conflict` while it is live, and `invalid` if there is no frame.
 */
export async function chooseThumbnailFrame(
  context: Pick<Context, 'db' | 'jobs'> & PictureContext & { signal: AbortSignal },
  id: string,
  userId: string,
  seconds: number,
  alsoCheck?: (transaction: Db) => Promise<void>,
): Promise<void> {
  const { config, db, storage, signal } = context
  // early, because reading the frame takes long; checked again where the row changes
  await db.transaction().execute((transaction) => lockOwnVideo(transaction, id, userId))
  await assertNotLive(db, id)
  const { source, sourceKey, cut } = await getPlayable(db, id)
  await using opened = await storage.open(sourceKey)
  if (!opened) throw new AppError(videoErrors.videoFileUnreadable)
  const media = { source, path: opened.path, signal }
  const readFrame = () => readFrameAt(toolsOf(config), media, toSourceTime(cut, seconds))
  const frame = await limitInspections(userId, readFrame, signal).catch((error: unknown) => {
    if (!(error instanceof SourceRefused)) throw error
    throw AppError.from(error.failure, { path: 'seconds', cause: error })
  })
  const file = path.join(config.dataDir, 'incoming', ownName())
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, frame)
    await replaceOwnThumbnail(context, id, userId, file, { alsoCheck })
  } finally {
    await rm(file, { force: true })
  }
}
