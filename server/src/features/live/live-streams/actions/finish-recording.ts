import { createReadStream, createWriteStream } from 'node:fs'
import { constants, copyFile, link, mkdir, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
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
import { takeDownLockedVideo } from '../../../videos/videos/actions/hide-video.ts'
import { updateFinishedLive } from '../../../videos/videos/queries/live.ts'
import { findLockedVideo, toVideoFile } from '../../../videos/videos/queries/videos.ts'
import { deleteParts, listFiles } from '../queries/parts.ts'
import { findUnfinished } from '../queries/streams.ts'
import { EVIDENCE_REASON, fileKeyOf, isEvidence } from '../rules.ts'
import { findWholeParts, pathOfRecording } from './whole-parts.ts'

/**
 * Makes an ordinary video of a stream that has ended, or deletes it if its channel keeps no recordings. Does nothing for a
 * video that is finished, or was deleted.
 */
export async function finishRecording(context: Context, videoId: string, signal: AbortSignal): Promise<void> {
  const { config, db, storage } = context
  const stream = await findUnfinished(db, videoId)
  if (!stream) return
  const { ownerId } = stream
  const whole = await findWholeParts(context, videoId, stream.sourceKey)
  const files = await listFiles(db, videoId)
  if (!stream.keepsRecording && !isEvidence(stream.endReason)) {
    const bytes = files.reduce((sum, { start, end }) => sum + end - start, 0)
    await countRecording(context, { videoId, ownerId, bytes })
    return deleteAnyVideo(context, videoId)
  }
  if (!whole) throw new Error(`the recording of ${videoId} is gone`)
  const sourceKey = sourceKeyOf(videoId, newId())
  const target = storage.pathOf(sourceKey) ?? ''
  await deleteSourceLater(context, sourceKey, discardAfterSeconds)
  await mkdir(path.dirname(target), { recursive: true })
  const parts = files.map(({ file, ...part }) => ({
    ...part,
    file,
    path: pathOfRecording(context, stream.sourceKey, file),
  }))
  const [first, ...others] = parts
  const isOneFile = first?.file === 0 && others.length === 0
  if (isOneFile) await linkWhole(first, target)
  else await joinFiles(stream.init, parts, target)
  const source = await probe(toolsOf(config), target, signal)
  await db.transaction().execute(async (transaction) => {
    const inTransaction = { ...context, db: transaction }
    const video = await findLockedVideo(transaction, videoId)
    if (!video) return
    await updateFinishedLive(transaction, videoId, toVideoFile(sourceKey, source))
    // the beginning was counted when the stream began
    await countRecording(inTransaction, { videoId, ownerId, bytes: source.sizeBytes })
    await restartPreparation(inTransaction, videoId)
    // these are places in other files
    if (!isOneFile) await deleteParts(transaction, videoId)
    if (!stream.keepsRecording && stream.endReason === 'ended_by_moderator')
      await takeDownLockedVideo(inTransaction, { id: videoId, thumbnail: video.thumbnail }, EVIDENCE_REASON)
    for (const { file } of parts)
      await deleteSourceLater(inTransaction, fileKeyOf(stream.sourceKey, file), readForSeconds)
    signal.throwIfAborted()
  })
}

/** Long after a job that failed is tried again. */
const discardAfterSeconds = 24 * 3600
/** Viewers may be receiving a part from the old address. */
const readForSeconds = 60

/** Gives a recording an address as a source: caches and backups take sources as unchanging, and it has grown until now. */
async function linkWhole(file: { path: string; end: number }, target: string): Promise<void> {
  // a killed process may have left a piece of another part
  await truncate(file.path, file.end)
  // disks without hard links
  await link(file.path, target).catch(() => copyFile(file.path, target, constants.COPYFILE_FICLONE))
  await flushFile(target)
}

/** Joins the last files of a stream that keeps nothing otherwise. */
async function joinFiles(
  init: Buffer,
  files: { path: string; start: number; end: number }[],
  target: string,
): Promise<void> {
  await writeFile(target, init)
  for (const { path: file, start, end } of files)
    await pipeline(createReadStream(file, { start, end: end - 1 }), createWriteStream(target, { flags: 'a' }))
  await flushFile(target)
}

/** Counts a recording for the day of its account. */
async function countRecording(
  context: Pick<Context, 'db' | 'clock'>,
  { videoId, ownerId, bytes }: { videoId: string; ownerId: string; bytes: number },
): Promise<void> {
  await countUpload(context, { uploadId: `live-${videoId}`, ownerId, bytes })
}
