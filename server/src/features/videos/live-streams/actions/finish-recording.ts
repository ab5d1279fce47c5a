import { truncate } from 'node:fs/promises'
import { probe } from '@kinora/media/probe/probe.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { flushFile } from '@kinora/platform/files/flushing.ts'
import type { Context } from '../../../../context/context.ts'
import { restartPreparation } from '../../playback/actions/restart-preparation.ts'
import { countUpload } from '../../uploads/actions/quota.ts'
import { deleteAnyVideo } from '../../video-deletion/actions/delete-video.ts'
import { updateFinishedLive } from '../../videos/queries/live.ts'
import { findLockedVideo, toVideoFile } from '../../videos/queries/videos.ts'
import { findLastPart } from '../queries/parts.ts'
import { findUnfinished } from '../queries/streams.ts'

/**
 * Makes an ordinary video of a stream that has ended, or deletes it if its channel keeps no recordings. Does nothing for a
 * video that is finished, or was deleted.
 */
export async function finishRecording(context: Context, videoId: string, signal: AbortSignal): Promise<void> {
  const { config, db, storage } = context
  const stream = await findUnfinished(db, videoId)
  if (!stream) return
  if (!stream.keepsRecording) return deleteAnyVideo(context, videoId)
  const file = storage.pathOf(stream.sourceKey)
  const last = await findLastPart(db, videoId)
  if (file === undefined || !last) throw new Error(`the recording of ${videoId} is gone`)
  // a killed process may have left a piece of another part
  await truncate(file, last.position + last.videoBytes + last.audioBytes)
  await flushFile(file)
  const source = await probe(toolsOf(config), file, signal)
  await db.transaction().execute(async (transaction) => {
    const inTransaction = { ...context, db: transaction }
    if (!(await findLockedVideo(transaction, videoId))) return
    await updateFinishedLive(transaction, videoId, toVideoFile(stream.sourceKey, source))
    // the beginning was counted when the stream began
    await countRecording(inTransaction, { videoId, ownerId: stream.ownerId, bytes: source.sizeBytes })
    await restartPreparation(inTransaction, videoId)
    signal.throwIfAborted()
  })
}

/** Counts a recording for the day of its account. */
async function countRecording(
  context: Pick<Context, 'db' | 'clock'>,
  { videoId, ownerId, bytes }: { videoId: string; ownerId: string; bytes: number },
): Promise<void> {
  await countUpload(context, { uploadId: `live-${videoId}`, ownerId, bytes })
}
