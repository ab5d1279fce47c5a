import type { Video, Visibility } from '@kinora/contract/videos/videos.ts'
import type { PictureSender } from '@kinora/media/pictures/encode-picture.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { assertNotLive, assertOwner } from '../../videos/actions/change-video.ts'
import { getVideo } from '../../videos/queries/videos.ts'
import { deleteDraft, findFiles, hasVideoOf } from '../queries.ts'
import { toRefusal } from '../rules.ts'
import { storeFrame, storeThumbnail } from './early-thumbnail.ts'
import { publishVideo } from './publish-video.ts'
import { replaceFile, type Replacement } from './replace-file.ts'
import type { ResumableUploads } from './resumable.ts'

/** Fields of the publication other than the file. */
export interface Publication {
  uploadId: string
  ownerId: string
  /** The account that publishes it, which owns the channel or works on it. */
  actorId: string
  credential: string
  title: string
  description: string
  visibility: Visibility
  keepsMetadata: boolean
  /** A frame of the video where none was sent. */
  thumbnailFile: string | undefined
  sender: PictureSender
}

/**
 * Publishes a complete upload. The video has the upload's id, so that a repeated request returns the same video.
 *
 * Throws `conflict` if bytes are missing, and `invalid`, `unauthenticated` or `forbidden` like `publishVideo`. A source
 * of a wrong type is deleted; the upload stays after other errors.
 */
export async function publishUpload(
  context: Context,
  uploads: ResumableUploads,
  { uploadId: id, thumbnailFile, sender, ...publication }: Publication,
  signal: AbortSignal,
): Promise<Video> {
  const { db } = context
  const { ownerId } = publication
  if (await hasVideoOf(db, id, ownerId)) return getVideo(db, id, ownerId)
  try {
    await using opened = await uploads.openComplete(id, ownerId)
    const { videoFile, storedAt } = opened
    const video = await publishVideo(
      context,
      {
        id,
        ...publication,
        videoFile,
        thumbnail: thumbnailFile
          ? storeThumbnail({ ...context, sender }, thumbnailFile)
          : storeFrame({ ...context, sender }, videoFile, signal),
        source: uploads.takeInspection(id),
        ...(storedAt ? { sourceKey: storedAt, isStored: true } : {}),
      },
      signal,
    )
    await uploads.remove(id)
    await deleteDraft(db, id)
    return video
  } catch (error) {
    // a concurrent request may have published it
    if (await hasVideoOf(db, id, ownerId)) return getVideo(db, id, ownerId)
    if (isOfVideo(error)) await uploads.remove(id)
    throw error
  }
}

/**
 * Replaces the file of an own video by a complete upload. A repeated request does nothing.
 *
 * Throws `conflict` if bytes are missing or the video is live, and like `replaceFile`. A file of a wrong type is deleted; the upload stays
 * after other errors.
 */
export async function replaceFileByUpload(
  context: Context,
  uploads: ResumableUploads,
  replacement: Replacement,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const { videoId, ownerId, uploadId: id } = replacement
  const { videoOwner } = await getVideo(db, videoId, ownerId)
  assertOwner({ ownerId: videoOwner._id }, ownerId)
  await assertNotLive(db, videoId)
  const isDone = async () => (await findFiles(db, videoId))?.replacement === id
  if (await isDone()) return
  try {
    await using opened = await uploads.openComplete(id, ownerId)
    await replaceFile(context, opened, replacement, signal)
  } catch (error) {
    // a concurrent request may have done it
    if (await isDone()) return
    const refusal = toRefusal(error)
    if (isOfVideo(refusal)) await uploads.remove(id)
    throw refusal
  }
  await uploads.remove(id)
}

const isOfVideo = (error: unknown) =>
  error instanceof AppError && error.errors.some(({ path: field }) => field === 'video')
