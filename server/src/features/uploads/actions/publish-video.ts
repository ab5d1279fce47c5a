import type { Video } from '@kinora/contract/videos.ts'
import type { Context } from '../../../context.ts'
import { toolsOf } from '../../../media/process/ffmpeg.ts'
import { findMetadata } from '../../../media/metadata/find-metadata.ts'
import { probe } from '../../../media/probe/probe.ts'
import type { SourceInfo } from '../../../media/source/source-info.ts'
import { applyEdits } from '../../../platform/files/file-edits.ts'
import { flushFile } from '../../../platform/files/flushing.ts'
import { newId } from '../../../platform/ids.ts'
import { discardPicture } from '../../pictures/actions.ts'
import { prepareVideo } from '../../playback/actions/prepare-video.ts'
import { assertStillSignedIn } from '../../sessions/actions.ts'
import { getVideo, insertVideo } from '../../videos/queries/videos.ts'
import { discardUnpublished } from '../jobs.ts'
import { sourceKeyOf, toRefusal } from '../rules.ts'
import { assertQuota } from './quota.ts'

export interface NewVideo {
  id: string
  ownerId: string
  /** Of the session that asks for it, which must not have ended meanwhile. The demonstration has none. */
  sessionToken?: string
  title: string
  description: string
  /** Whether tags of place, device and the like stay in the file. */
  keepsMetadata?: boolean
  /** A local file, which is moved away unless the source is stored already. */
  videoFile: string
  /** The id of a stored picture: discarded when the video is not published. */
  thumbnail: Promise<string>
  /** Inspection of `videoFile`, where one is already running. */
  source?: Promise<SourceInfo> | undefined
  /** Where the source is on its way to already. */
  sourceKey?: string
  /** Whether all of it is there; then it stays, whatever becomes of the video. */
  isStored?: boolean
}

/** Uploaders watch their video immediately, so background encoding starts a little later. */
const prepareAfterSeconds = 1

/** Long after any storing is over; then what no row speaks of was left by a killed process. */
const discardAfterSeconds = 24 * 3600

/**
 * Makes a video of two received files: decides by content what they are, blanks tags of place and device, stores them durably, then adds the row
 * together with the background work (unless `isPrepared` is false: then segments are made when somebody asks).
 *
 * Throws `invalid` for files of a wrong type, `unauthenticated` or `forbidden` when the owner was signed out, deleted or
 * suspended while the files came, and the signal's reason once it is aborted; nothing is left then.
 */
export async function publishVideo(
  context: Context,
  video: NewVideo,
  signal: AbortSignal,
  { isPrepared = true } = {},
): Promise<Video> {
  const { sourceKey = sourceKeyOf(video.id, newId()), isStored = false } = video
  const leftoversWith = (thumbnail: string) => ({
    videoId: video.id,
    sourceKey: isStored ? null : sourceKey,
    thumbnail,
  })
  const isWatched = video.thumbnail.then((thumbnail) =>
    context.jobs.enqueue(context.db, discardUnpublished, leftoversWith(thumbnail), {
      delaySeconds: discardAfterSeconds,
    }),
  )
  const { source, thumbnail } = await inspect(context, video, isWatched, signal)
  const leftovers = leftoversWith(thumbnail)
  try {
    const edits = video.keepsMetadata ? [] : await findMetadata(video.videoFile, source.container)
    if (!isStored) {
      await applyEdits(video.videoFile, edits)
      await context.storage.put(sourceKey, { file: video.videoFile, edited: edits })
    } else if (edits.length > 0) {
      await context.storage.edit(sourceKey, video.videoFile, edits)
    }
    return await context.db.transaction().execute(async (transaction) => {
      const { ownerId: userId, sessionToken: token } = video
      if (token !== undefined) await assertStillSignedIn({ ...context, db: transaction }, { token, userId })
      await assertQuota({ ...context, db: transaction }, userId, {
        bytes: source.sizeBytes,
        seconds: source.durationSeconds,
      })
      await insertVideo(transaction, {
        id: video.id,
        ownerId: video.ownerId,
        title: video.title,
        description: video.description,
        thumbnail,
        sourceKey,
        sizeBytes: source.sizeBytes,
        durationSeconds: source.durationSeconds,
        width: source.video.displayWidth,
        height: source.video.displayHeight,
        source: JSON.stringify(source),
        createdAt: context.clock.now(),
      })
      if (isPrepared)
        await prepareVideo({ db: transaction, jobs: context.jobs }, video.id, prepareAfterSeconds)
      const published = await getVideo(transaction, video.id, video.ownerId)
      signal.throwIfAborted()
      return published
    })
  } catch (error) {
    // The row is asked for first: a commit may have happened although its answer was lost. When nobody can be asked,
    // the job that waits does it later.
    await discardUnpublished.handle(leftovers, context, signal).catch((cause: unknown) => {
      context.log.debug({ err: cause, videoId: video.id }, 'leftovers of an upload not discarded')
    })
    throw error
  }
}

/**
 * Looks at the video while the thumbnail may still be worked on, the last bytes are on their way to the disk, and
 * whatever else has to happen (`meanwhile`) before it is stored. What is wrong with the thumbnail is said first.
 */
async function inspect(
  context: Context,
  video: NewVideo,
  meanwhile: Promise<void>,
  signal: AbortSignal,
): Promise<{ source: SourceInfo; thumbnail: string }> {
  const [thumbnail, source, ...others] = await Promise.allSettled([
    video.thumbnail,
    video.source ?? probe(toolsOf(context.config), video.videoFile, signal),
    // storing it has less to wait for then; and a disk that failed says so once: storing the file would not hear of it
    video.isStored ? undefined : flushFile(video.videoFile),
    meanwhile,
  ])
  if (thumbnail.status === 'rejected') throw toRefusal(thumbnail.reason)
  const giveUp = async (reason: unknown): Promise<never> => {
    await discardPicture(context, thumbnail.value)
    throw reason
  }
  if (source.status === 'rejected') return giveUp(toRefusal(source.reason))
  for (const other of others) if (other.status === 'rejected') return giveUp(other.reason)
  return { source: source.value, thumbnail: thumbnail.value }
}
