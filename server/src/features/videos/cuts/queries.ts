import type { KeptRange } from '@kinora/media/plan/cut.ts'
import type { PastCut } from '@kinora/contract/videos/cut-times.ts'
import type { Db } from '../../../context/database.ts'

/** The cuts that a video has had, in order. */
export async function listCuts(db: Db, videoId: string): Promise<PastCut[]> {
  const rows = await db
    .selectFrom('videoCuts')
    .select(['publishedAt', 'keep', 'isFinal'])
    .where('videoId', '=', videoId)
    .orderBy('publishedAt')
    .execute()
  // only `insertCut` writes this column
  return rows.map(({ keep, ...cut }) => ({ ...cut, keep: keep as KeptRange[] | null }))
}
