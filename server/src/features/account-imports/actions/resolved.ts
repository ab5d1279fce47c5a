import type { Db } from '../../../database.ts'
import { resolveVideos } from '../queries.ts'
import { chunksOf } from '../rules.ts'
import type { ImportRun } from './import-run.ts'

/** References that one query resolves. */
export const chunkSize = 1000

const elsewhere = 'The video is not on this site, or you may not see it'

/** The items whose video is here, with its id on this site; reports the others. */
export async function resolved<Item>(
  { report, userId }: ImportRun,
  db: Db,
  kind: string,
  items: readonly Item[],
  videoOf: (item: Item) => { id: string; title: string | null },
): Promise<(Item & { videoId: string })[]> {
  const found: (Item & { videoId: string })[] = []
  for (const chunk of chunksOf(items, chunkSize)) {
    const ids = await resolveVideos(
      db,
      userId,
      chunk.map((item) => videoOf(item).id),
    )
    for (const item of chunk) {
      const { id, title } = videoOf(item)
      const videoId = ids.get(id)
      if (videoId === undefined) report.skip(kind, title ?? id, elsewhere)
      else found.push({ ...item, videoId })
    }
  }
  return found
}
