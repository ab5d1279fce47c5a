import type { Video, Visibility } from '@kinora/contract/videos/videos.ts'
import type { Context } from '../../../../context/context.ts'
import type { WithinTransaction } from '../../../../context/database.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { flushFile } from '@kinora/platform/files/flushing.ts'
import { newId } from '@kinora/platform/ids.ts'
import { announceVideo } from '../../videos/actions/announce-video.ts'
import { mustWaitForApproval } from '../../../accounts/new-accounts/actions.ts'
import { notifyModerators } from '../../../messages/notifications/queries/decisions.ts'
import { insertAnnounced } from '../../../messages/notifications/queries/videos.ts'
import { discardPicture } from '../../../pictures/actions.ts'
import { prepareVideo } from '../../playback/actions/prepare-video.ts'
import { assertStillSignedIn } from '../../../accounts/sessions/actions.ts'
import { assertStillWorksOn } from '../../collaborators/actions.ts'
import { hideFiles } from '../../videos/actions/hide-video.ts'
import { getVideo, insertVideo, toVideoFile } from '../../videos/queries/videos.ts'
import { isOpenToAll, visibilityWhileHeld } from '../../videos/rules.ts'
import { discardUnpublished } from '../jobs.ts'
import { findFiles } from '../queries.ts'
import { sourceKeyOf, toRefusal } from '../rules.ts'
import { assertNewAccountMayUpload, assertQuota, countUpload, uncountedBytes } from './quota.ts'
import { type ReadableFile, readFormat } from './read-format.ts'
import { storeSource } from './store-source.ts'

export interface NewVideo {
  id: string
  ownerId: string
  /** Of the requesting session, which must not have ended meanwhile. The demonstration has none. */
  credential?: string
  /** The account of the session, where it is not the owner: it must still work on the channel. */
  actorId?: string
  title: string
  description: string
  /** `public` if undefined. */
  visibility?: Visibility
  tags?: string[]
  /** When it was published elsewhere. */
  publishedAt?: Date | undefined
  /** Whether subscribers and webhooks are notified of a public video; true if undefined. */
  notifiesSubscribers?: boolean
  /** Whether tags of place, device and the like stay in the file. */
  keepsMetadata?: boolean
  /** A local file, which is moved away unless the source is stored already. */
  videoFile: string
  /** The id of a stored picture, which is discarded if the video is not published. */
  thumbnail: Promise<string>
  /** Inspection of `videoFile`, if one is already running. */
  source?: Promise<SourceInfo> | undefined
  /** Storage key, if the source is already being stored. */
  sourceKey?: string
  /** Further writes in the transaction that inserts the video. What it throws ends the publication. */
  alsoWrite?: WithinTransaction
  /** The same for a live stream, whose file still grows: after the row exists. It is announced later. */
  live?: WithinTransaction
  /** Updates the row of a stream that was announced, in place of inserting one. */
  updateRow?: typeof insertVideo | undefined
  /** Bytes of the file that an upload has counted for the day already. */
  countedBytes?: number
  /** Whether the source is stored completely; then it stays, even if publishing fails. */
  isStored?: boolean
}

/** Uploaders watch their video immediately, so background encoding starts a little later. */
const prepareAfterSeconds = 1

/** Long after storing has ended: unreferenced files were left by a killed process. */
const discardAfterSeconds = 24 * 3600

/**
 * Publishes a video from two received files: detects their types by content, blanks tags of place and device, stores
 * them durably, then inserts the row together with its background work (unless `isPrepared` is false: then segments are
 * encoded on demand).
 *
 * Throws `invalid` for files of a wrong type, `unauthenticated` or `forbidden` if the account was signed out, deleted,
 * suspended or removed from the channel meanwhile, and the signal's reason if aborted. No files are left then.
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
  const { file, thumbnail } = await inspect(context, video, isWatched, signal)
  await using _ = file
  const { source } = file
  const leftovers = leftoversWith(thumbnail)
  try {
    await storeSource(context, file, { sourceKey, isStored, keepsMetadata: video.keepsMetadata })
    const { visibility: chosen = 'public' } = video
    // a worker does not hear of changes
    await context.siteSettings.load()
    const isHeld = chosen !== 'private' && (await mustWaitForApproval(context, video.ownerId))
    const visibility = isHeld ? visibilityWhileHeld(chosen) : chosen
    if (!isOpenToAll(visibility)) for (const mark of [video.id, thumbnail]) await hideFiles(context, mark)
    return await context.db.transaction().execute(async (transaction) => {
      const { ownerId: userId, actorId = userId, credential: token, countedBytes = 0 } = video
      if (token !== undefined)
        await assertStillSignedIn({ ...context, db: transaction }, { token, userId: actorId })
      await assertStillWorksOn(transaction, actorId, userId)
      await video.alsoWrite?.(transaction)
      const inTransaction = { ...context, db: transaction }
      const { sizeBytes, durationSeconds } = source
      const bytes = Math.max(0, sizeBytes - countedBytes)
      const dailyBytes = await uncountedBytes(transaction, video.id, bytes)
      // uploads that began before are counted, and an import of an account is not limited
      if (dailyBytes > 0 && token !== undefined) await assertNewAccountMayUpload(inTransaction, userId)
      await assertQuota(inTransaction, userId, {
        videos: video.updateRow ? 0 : 1,
        bytes: sizeBytes,
        seconds: durationSeconds,
        dailyBytes,
        videoSeconds: durationSeconds,
      })
      await countUpload(inTransaction, { uploadId: video.id, ownerId: userId, bytes })
      await (video.updateRow ?? insertVideo)(transaction, {
        id: video.id,
        ownerId: video.ownerId,
        title: video.title,
        description: video.description,
        thumbnail,
        ...toVideoFile(sourceKey, source),
        createdAt: video.publishedAt ?? context.clock.now(),
        ...(video.tags && { tags: video.tags }),
        visibility,
        heldVisibility: isHeld ? chosen : null,
        // nothing is prepared before its end
        ...(video.live && {
          isLive: true,
          processingState: 'ready',
          processingProgress: 1,
          chatFrom: context.clock.now(),
        }),
        awaitsPublication: visibility === 'private' && video.publishedAt === undefined,
      })
      await video.live?.(transaction)
      if (isHeld) await notifyModerators(transaction, video.ownerId)
      if (isPrepared)
        await prepareVideo({ db: transaction, jobs: context.jobs }, video.id, prepareAfterSeconds)
      if (video.notifiesSubscribers === false) await insertAnnounced(transaction, video.id)
      else if (visibility === 'public' && !video.live)
        await announceVideo({ db: transaction, jobs: context.jobs }, video.id)
      const published = await getVideo(transaction, video.id, video.ownerId)
      signal.throwIfAborted()
      return published
    })
  } catch (error) {
    // Checks the row first: the commit may have happened although its response was lost. If the database is
    // unavailable, the delayed job does it later.
    await discardUnpublished.handle(leftovers, context, signal).catch((cause: unknown) => {
      context.log.debug({ err: cause, videoId: video.id }, 'leftovers of an upload not discarded')
    })
    const files = await findFiles(context.db, video.id).catch(() => undefined)
    const isPublished = isStored ? files?.thumbnail === thumbnail : files?.sourceKey === sourceKey
    if (isPublished) return await getVideo(context.db, video.id, video.ownerId)
    throw error
  }
}

/**
 * Inspects the video while the thumbnail is being encoded, the last bytes are written to disk, and `meanwhile` runs. An
 * error of the thumbnail takes precedence.
 */
async function inspect(
  context: Context,
  video: NewVideo,
  meanwhile: Promise<unknown>,
  signal: AbortSignal,
): Promise<{ file: ReadableFile; thumbnail: string }> {
  const [thumbnail, file, ...others] = await Promise.allSettled([
    video.thumbnail,
    readFormat(context, { ...video, inspected: video.source }, signal),
    // storing then has less to flush; and a failed fsync is reported only once, so storing would not notice it
    video.isStored ? undefined : flushFile(video.videoFile),
    meanwhile,
  ])
  if (thumbnail.status === 'rejected') {
    if (file.status === 'fulfilled') await file.value[Symbol.asyncDispose]()
    throw toRefusal(thumbnail.reason)
  }
  const giveUp = async (reason: unknown): Promise<never> => {
    if (file.status === 'fulfilled') await file.value[Symbol.asyncDispose]()
    await discardPicture(context, thumbnail.value)
    throw reason
  }
  if (file.status === 'rejected') return giveUp(toRefusal(file.reason))
  for (const other of others) if (other.status === 'rejected') return giveUp(other.reason)
  return { file: file.value, thumbnail: thumbnail.value }
}
