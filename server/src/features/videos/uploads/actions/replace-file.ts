import { createReadStream } from 'node:fs'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { flushFile } from '@kinora/platform/files/flushing.ts'
import { newId } from '@kinora/platform/ids.ts'
import { deleteAutomaticCaptions, detachCopies } from '../../captions/queries.ts'
import { deleteCuts } from '../../videos/queries/cuts.ts'
import { restartPreparation } from '../../playback/actions/restart-preparation.ts'
import { deleteFileLater } from '../../playback/actions/delete-file-later.ts'
import { getPlayable } from '../../playback/queries.ts'
import { assertStillSignedIn } from '../../../accounts/sessions/actions.ts'
import { assertStillWorksOn } from '../../collaborators/actions.ts'
import { lockOwnVideo } from '../../videos/actions/change-video.ts'
import { toVideoFile, updateFile } from '../../videos/queries/videos.ts'
import { segmentFolderOf } from '../../videos/rules.ts'
import { deleteSource } from '../jobs.ts'
import { deleteSourceLater } from './delete-source-later.ts'
import { sourceKeyOf } from '../rules.ts'
import { assertQuota, countUpload, uncountedBytes } from './quota.ts'
import { readFormat } from './read-format.ts'
import { storeSource } from './store-source.ts'
import type { OpenUpload } from './upload-store.ts'

export interface Replacement {
  videoId: string
  ownerId: string
  /** The account that replaces it, which owns the channel or works on it. */
  actorId: string
  credential: string
  /** The upload. It replaces the file only once, however often it is requested. */
  uploadId: string
  keepsMetadata: boolean
}

/** Long after storing has ended. */
const discardAfterSeconds = 24 * 3600

/**
 * Gives an own video the file of an upload. The old file is played until the new one is inspected and stored; then the row
 * changes in one transaction, and jobs delete the old file with its segments. A cut of the old file ends.
 *
 * Throws `invalid` for a file of a wrong type, `not_found`, `forbidden` for other users, `too_large` above a quota,
 * `unauthenticated` or `forbidden` if the account was signed out or removed from the channel meanwhile, and `conflict` if a concurrent request has used the upload. The
 * video stays as it is then, and no file is left.
 */
export async function replaceFile(
  context: Context,
  { videoFile, storedAt }: Pick<OpenUpload, 'videoFile' | 'storedAt'>,
  { videoId, ownerId, actorId, credential, uploadId, keepsMetadata }: Replacement,
  signal: AbortSignal,
): Promise<void> {
  const { db, storage } = context
  await using file = await readFormat(context, { videoFile, ownerId }, signal)
  const { source } = file
  // a concurrent request with the same upload that fails must not delete the file of this one
  const sourceKey = sourceKeyOf(videoId, newId())
  await deleteSourceLater(context, sourceKey, discardAfterSeconds)
  try {
    if (storedAt === undefined || file.isConverted) {
      await flushFile(file.videoFile)
      await storeSource(context, file, { sourceKey, isStored: false, keepsMetadata })
    } else {
      // a bucket has the upload below the id of the upload
      await storage.put(sourceKey, createReadStream(videoFile))
      await using copy = await storage.open(sourceKey)
      if (!copy) throw new AppError(videoErrors.fileNotStored)
      const stored = { ...file, videoFile: copy.path }
      await storeSource(context, stored, { sourceKey, isStored: true, keepsMetadata })
    }
    await db.transaction().execute(async (transaction) => {
      const inTransaction = { ...context, db: transaction }
      await lockOwnVideo(transaction, videoId, ownerId)
      await assertStillSignedIn(inTransaction, { token: credential, userId: actorId })
      await assertStillWorksOn(transaction, actorId, ownerId)
      const old = await getPlayable(transaction, videoId)
      if (old.folder === segmentFolderOf(uploadId)) throw new AppError(videoErrors.fileReplaced)
      const { sizeBytes, durationSeconds } = source
      const seconds = durationSeconds - old.source.durationSeconds
      await assertQuota(inTransaction, ownerId, {
        videos: 0,
        bytes: sizeBytes - old.source.sizeBytes,
        seconds,
        dailyBytes: await uncountedBytes(transaction, uploadId, sizeBytes),
        videoSeconds: seconds > 0 ? durationSeconds : 0,
      })
      await countUpload(inTransaction, { uploadId, ownerId, bytes: sizeBytes })
      await detachCopies(transaction, videoId, source.captions ?? [])
      await deleteAutomaticCaptions(transaction, videoId)
      await deleteCuts(transaction, videoId)
      await updateFile(transaction, videoId, { ...toVideoFile(sourceKey, source), replacement: uploadId })
      await restartPreparation(inTransaction, videoId)
      await deleteFileLater(inTransaction, old)
      signal.throwIfAborted()
    })
  } catch (error) {
    // Checks the rows first: the commit may have happened although its response was lost.
    await deleteSource.handle({ sourceKey }, context, signal).catch((cause: unknown) => {
      context.log.debug({ err: cause, videoId }, 'leftovers of a replacement not discarded')
    })
    throw error
  }
}
