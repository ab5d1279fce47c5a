import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Db } from '../../../../context/database.ts'
import { findChannel, worksOn } from '../../collaborators/actions.ts'
import type { ResumableUploads } from './resumable.ts'

/**
 * The channel of an upload, for its owner and for people who work on the channel. An upload that was published has the id of its
 * video. Throws `not_found`, or `forbidden` for anybody else.
 */
export async function getChannelOfUpload(
  db: Db,
  uploads: ResumableUploads,
  id: string,
  userId: string,
): Promise<string> {
  const ownerId = await uploads.findOwner(id)
  if (ownerId === undefined)
    return (await findChannel(db, { id: userId }, {}, { params: { id }, query: {} })).id
  if (!(await worksOn(db, userId, ownerId))) throw new AppError(videoErrors.uploadNotYours)
  return ownerId
}
