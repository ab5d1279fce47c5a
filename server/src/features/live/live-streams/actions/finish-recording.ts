import { createWriteStream } from 'node:fs'
import { constants, copyFile, link, mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { probe } from '@kinora/media/probe/probe.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { flushFile } from '@kinora/platform/files/flushing.ts'
import { newId } from '@kinora/platform/ids.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import type { Context } from '../../../../context/context.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'
import { restartPreparation } from '../../../videos/playback/actions/restart-preparation.ts'
import { countUpload } from '../../../videos/uploads/actions/quota.ts'
import { deleteSourceLater } from '../../../videos/uploads/actions/delete-source-later.ts'
import { sourceKeyOf } from '../../../videos/uploads/rules.ts'
import { deleteAnyVideo } from '../../../videos/video-deletion/actions/delete-video.ts'
import { takeDownLockedVideo } from '../../../videos/videos/actions/hide-video.ts'
import { updateFinishedLive } from '../../../videos/videos/queries/live.ts'
import { toVideoFile } from '../../../videos/videos/queries/videos.ts'
import { findLockedVideo } from '../../../videos/videos/queries/lock-videos.ts'
import { listFiles, relocateParts } from '../queries/parts.ts'
import { findUnfinished } from '../queries/streams.ts'
import { EVIDENCE_REASON, fileKeyOf, isEvidence } from '../rules/streams.ts'
import { completeRecording } from './complete-recording.ts'

/**
 * Makes an ordinary video of a stream that has ended, or deletes it if its channel keeps no recordings. Does nothing for a
 * video that is finished, or was deleted.
 */
export async function finishRecording(context: Context, videoId: string, signal: AbortSignal): Promise<void> {
  const { config, db, storage } = context
  const stream = await findUnfinished(db, videoId)
  if (!stream) return
  const { ownerId } = stream
  const last = await completeRecording(context, { videoId, ...stream })
  const files = await listFiles(db, videoId)
  if (!stream.keepsRecording && !isEvidence(stream.endReason)) {
    const bytes = files.reduce((sum, { start, end }) => sum + end - start, 0)
    await countRecording(context, { videoId, ownerId, bytes })
    return deleteAnyVideo(context, videoId)
  }
  if (!last) throw new Error(`the recording of ${videoId} is gone`)
  const sourceKey = sourceKeyOf(videoId, newId())
  await deleteSourceLater(context, sourceKey, discardAfterSeconds)
  const [first, ...others] = files
  const growing = storage.pathOf(stream.sourceKey)
  const isWhole = growing !== undefined && first?.file === 0 && others.length === 0
  await using stored = isWhole
    ? await linkWhole(growing, first.end, storage.pathOf(sourceKey) ?? '')
    : await joinFiles(context, stream, files, sourceKey, signal)
  const source = await probe(toolsOf(config), stored.path, signal)
  await stored.finish()
  await db.transaction().execute(async (transaction) => {
    const inTransaction = { ...context, db: transaction }
    const video = await findLockedVideo(transaction, videoId)
    if (!video) return
    await updateFinishedLive(transaction, videoId, toVideoFile(sourceKey, source))
    // the beginning was counted when the stream began
    await countRecording(inTransaction, { videoId, ownerId, bytes: source.sizeBytes })
    await restartPreparation(inTransaction, videoId)
    if (!isWhole) await relocateParts(transaction, videoId, stream.init.length)
    if (!stream.keepsRecording && video.takedownReason === null)
      await takeDownLockedVideo(inTransaction, { id: videoId, thumbnail: video.thumbnail }, EVIDENCE_REASON)
    await deleteSourceLater(inTransaction, `${storagePrefixes.live}${videoId}/`, readForSeconds)
    signal.throwIfAborted()
  })
}

/** Longer than all attempts of the job take. */
const discardAfterSeconds = 24 * 3600
/** Viewers may be receiving a part from the old address. */
const readForSeconds = 60

/** A recording on the way to its address as a source. */
interface StoredRecording extends AsyncDisposable {
  path: string
  finish(): Promise<void>
}

/** Gives a recording an address as a source: caches and backups take sources as unchanging, and it has grown until now. */
async function linkWhole(file: string, sizeBytes: number, target: string): Promise<StoredRecording> {
  await mkdir(path.dirname(target), { recursive: true })
  // a killed process may have left a piece of another part
  await truncate(file, sizeBytes)
  // disks without hard links
  await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_FICLONE))
  return { path: target, finish: () => flushFile(target), [Symbol.asyncDispose]: async () => undefined }
}

/** Files that are requested before they are needed: each is a request of its own in a bucket. */
const READ_AHEAD = 4

/** Joins what is stored of a recording to one source. */
async function joinFiles(
  { storage, config, disk }: Pick<Context, 'storage' | 'config' | 'disk'>,
  { sourceKey, init }: { sourceKey: string; init: Buffer },
  files: { file: number; start: number; end: number }[],
  target: string,
  signal: AbortSignal,
): Promise<StoredRecording> {
  const joined = path.join(config.dataDir, 'incoming', ownName())
  const remove = () => rm(joined, { force: true })
  const bytes = files.reduce((sum, { start, end }) => sum + end - start, init.length)
  let written = 0
  using _ = await disk.reserve(bytes, () => written)
  const read = async ({ file, start, end }: { file: number; start: number; end: number }) => {
    const found = await storage.get(fileKeyOf(sourceKey, file), { start, end: end - 1 })
    if (!found) throw new Error(`a file of ${sourceKey} is gone`)
    return found.body
  }
  const ahead: Promise<Readable>[] = []
  try {
    await mkdir(path.dirname(joined), { recursive: true })
    await writeFile(joined, init)
    for (const [i, { start, end }] of files.entries()) {
      for (const next of files.slice(i + ahead.length, i + READ_AHEAD)) {
        const reading = read(next)
        // awaited in its turn
        reading.catch(() => undefined)
        ahead.push(reading)
      }
      const body = await ahead.shift()
      if (body) await pipeline(body, createWriteStream(joined, { flags: 'a' }), { signal })
      written += end - start
    }
  } catch (error) {
    for (const reading of ahead) void reading.then((body) => body.destroy()).catch(() => undefined)
    await remove()
    throw error
  }
  return {
    path: joined,
    // moves or deletes the file
    finish: () => storage.put(target, { file: joined }),
    [Symbol.asyncDispose]: remove,
  }
}

/** Counts a recording for the day of its account. */
async function countRecording(
  context: Pick<Context, 'db' | 'clock'>,
  { videoId, ownerId, bytes }: { videoId: string; ownerId: string; bytes: number },
): Promise<void> {
  await countUpload(context, { uploadId: `live-${videoId}`, ownerId, bytes })
}
