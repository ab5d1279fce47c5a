import type { Db } from '../../database.ts'
import type { SourceInfo } from '../../media/source-info.ts'
import { videoNotFound } from '../videos/queries.ts'

export interface PlayableVideo {
  id: string
  sourceKey: string
  source: SourceInfo
}

/** What is needed to play a video. Throws `not_found`. */
export async function getPlayable(db: Db, id: string): Promise<PlayableVideo> {
  const row = await db
    .selectFrom('videos')
    .select(['id', 'sourceKey', 'source'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw videoNotFound()
  // written by uploads from a SourceInfo, and by nobody else
  return { ...row, source: row.source as SourceInfo }
}
