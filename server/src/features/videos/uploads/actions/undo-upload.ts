import { deleteOwnVideo } from '../../video-deletion/actions/delete-video.ts'
import type { DeleteContext } from '../../videos/actions/change-video.ts'
import { deleteUploadRequest } from '../queries.ts'

/**
 * Deletes the video of an upload whose sender disconnected before the response. Does nothing if the sender has repeated the
 * upload with the same key, and was given this video.
 */
export async function undoUpload(
  context: DeleteContext,
  {
    videoId,
    ownerId,
    key,
    requestId = '',
  }: { videoId: string; ownerId: string; key?: string; requestId?: string },
): Promise<void> {
  if (key !== undefined && !(await deleteUploadRequest(context.db, { ownerId, key, requestId }))) return
  await deleteOwnVideo(context, videoId, ownerId)
}
