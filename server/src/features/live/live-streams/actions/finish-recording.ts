import { constants, copyFile, link, truncate } from 'node:fs/promises'
import { probe } from '@kinora/media/probe/probe.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { flushFile } from '@kinora/platform/files/flushing.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { restartPreparation } from '../../../videos/playback/actions/restart-preparation.ts'
import { countUpload } from '../../../videos/uploads/actions/quota.ts'
import { deleteSourceLater } from '../../../videos/uploads/actions/delete-source-later.ts'
import { sourceKeyOf } from '../../../videos/uploads/rules.ts'
import { deleteAnyVideo } from '../../../videos/video-deletion/actions/delete-video.ts'
import { updateFinishedLive } from '../../../videos/videos/queries/live.ts'
import { findLockedVideo, toVideoFile } from '../../../videos/videos/queries/videos.ts'
import { findUnfinished } from '../queries/streams.ts'
import { isEvidence } from '../rules.ts'
import { findWholeParts } from './whole-parts.ts'

/**
 * Makes an ordinary video of a stream that has ended, or deletes it if its channel keeps no recordings. Does nothing for a
 * video that is finished, or was deleted.
 */
export async function finishRecording(context: Context, videoId: string, signal: AbortSignal): Promise<void> {
  const { config, db, storage } = context
  const stream = await findUnfinished(db, videoId)
  if (!stream) return
  const { ownerId } = stream
  const file = storage.pathOf(stream.sourceKey)
  const whole = file === undefined ? undefined : await findWholeParts(context, videoId, file)
  if (!stream.keepsRecording && !isEvidence(stream.endReason)) {
    await countRecording(context, { videoId, ownerId, bytes: whole?.sizeBytes ?? 0 })
    return deleteAnyVideo(context, videoId)
  }
  if (file === undefined || !whole) throw new Error(`the recording of ${videoId} is gone`)
  // a killed process may have left a piece of another part
  await truncate(file, whole.sizeBytes)
  await flushFile(file)
  const source = await probe(toolsOf(config), file, signal)
  // caches and backups take what has an address as unchanging, and the file has grown until now
  const sourceKey = sourceKeyOf(videoId, newId())
  await deleteSourceLater(context, sourceKey, discardAfterSeconds)
  await linkOrCopy(file, storage.pathOf(sourceKey) ?? '')
  await db.transaction().execute(async (transaction) => {
    const inTransaction = { ...context, db: transaction }
    if (!(await findLockedVideo(transaction, videoId))) return
    await updateFinishedLive(transaction, videoId, toVideoFile(sourceKey, source))
    // the beginning was counted when the stream began
    await countRecording(inTransaction, { videoId, ownerId, bytes: source.sizeBytes })
    await restartPreparation(inTransaction, videoId)
    await deleteSourceLater(inTransaction, stream.sourceKey, readForSeconds)
    signal.throwIfAborted()
  })
}

/** Long after a job that failed is tried again. */
const discardAfterSeconds = 24 * 3600
/** Viewers may be receiving a part from the old address. */
const readForSeconds = 60

async function linkOrCopy(file: string, target: string): Promise<void> {
  // disks without hard links
  await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_FICLONE))
  await flushFile(target)
}

/** Counts a recording for the day of its account. */
async function countRecording(
  context: Pick<Context, 'db' | 'clock'>,
  { videoId, ownerId, bytes }: { videoId: string; ownerId: string; bytes: number },
): Promise<void> {
  await countUpload(context, { uploadId: `live-${videoId}`, ownerId, bytes })
}
