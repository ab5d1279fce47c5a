import type { Context } from '../../../../context/context.ts'
import { deleteReplacedFile } from '../jobs.ts'
import type { PlayableVideo } from '../queries.ts'

/**
 * Players keep their playlists for a while, and stored segments of the old file are still sent to those who have one. The second
 * deletion is for segments of a worker that was killed.
 */
const delaysSeconds = [90, 690]

/** Deletes the replaced file of a video with its segments, after the transaction of `db` commits. */
export async function deleteFileLater(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  { id: videoId, sourceKey, folder }: Pick<PlayableVideo, 'id' | 'sourceKey' | 'folder'>,
): Promise<void> {
  for (const delaySeconds of delaysSeconds)
    await jobs.enqueue(db, deleteReplacedFile, { videoId, sourceKey, folder }, { delaySeconds })
}
