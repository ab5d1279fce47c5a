import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { storeLateFrame } from '../jobs.ts'

/** Gives a video with the placeholder of a picture a frame of its file, after the transaction of `db` commits. */
export async function storeFrameLater(
  { jobs }: Pick<Context, 'jobs'>,
  db: Db,
  frame: { videoId: string; placeholder: string },
): Promise<void> {
  await jobs.enqueue(db, storeLateFrame, frame)
}
