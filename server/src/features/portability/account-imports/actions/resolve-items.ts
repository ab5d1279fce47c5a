import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import type { Db } from '../../../../context/database.ts'
import {
  deleteReferences,
  keepReferences,
  maxPerAccount,
} from '../../../videos/imported-references/queries.ts'
import type { MissingReference, ReferenceList } from '../../../videos/imported-references/rules.ts'
import { resolveVideos } from '../queries.ts'
import { inBatches } from '@kinora/platform/in-batches.ts'
import type { ImportRun } from './import-run.ts'

/** References that one query resolves. */
export const chunkSize = 1000

const noSuchVideo = explain(portabilityErrors.videoNotHere)

interface ResolveOptions<Item> {
  /** Items that the report counts. */
  kind: string
  /** Where exports contain again what is not here; undefined for archives of other platforms. */
  keptIn?: ReferenceList | undefined
  /** The video of the archive that an item refers to. */
  videoOf: (item: Item) => { id: string; name: string | null }
  /** The key of a kept item, where a video has several; that of the video by default. */
  keyOf?: (item: Item) => string
}

/** The items whose video is on this site, with its id here; reports the others as skipped. */
export async function resolveItems<Item>(
  run: ImportRun,
  db: Db,
  items: readonly Item[],
  { kind, keptIn, videoOf, keyOf = (item) => videoOf(item).id }: ResolveOptions<Item>,
): Promise<(Item & { videoId: string })[]> {
  const found: (Item & { videoId: string })[] = []
  const resolvedKeys: string[] = []
  const missing: MissingReference[] = []
  for (const chunk of inBatches([...items.entries()], chunkSize)) {
    const ids = await resolveVideos(
      db,
      run.userId,
      chunk.map(([, item]) => videoOf(item).id),
    )
    for (const [position, item] of chunk) {
      const { id, name } = videoOf(item)
      const key = keyOf(item)
      const videoId = ids.get(id)
      if (videoId === undefined) {
        run.report.skip(kind, name ?? id, noSuchVideo)
        missing.push({ key, content: item, position })
      } else {
        found.push({ ...item, videoId })
        resolvedKeys.push(key)
      }
    }
  }
  if (keptIn) await updateKeptReferences(run, db, { kind, ...keptIn }, { resolvedKeys, missing })
  return found
}

/** Keeps missing references for later exports, and forgets those that are resolved now. Reports what is not kept. */
export async function updateKeptReferences(
  { userId, report }: ImportRun,
  db: Db,
  { kind, ...list }: ReferenceList & { kind: string },
  { resolvedKeys = [], missing }: { resolvedKeys?: readonly string[]; missing: readonly MissingReference[] },
): Promise<void> {
  for (const keys of inBatches(resolvedKeys, chunkSize)) await deleteReferences(db, userId, list, keys)
  let leftOut = 0
  let limit = ''
  for (const references of inBatches(missing, chunkSize)) {
    const kept = await keepReferences(db, userId, list, references)
    leftOut += kept.leftOut
    if (kept.leftOut > 0)
      limit = kept.maxBytes === null ? maxPerAccount.toLocaleString('en') : `${kept.maxBytes / 1e6} MB`
  }
  report.reportLeftOut(kind, list.file, leftOut, limit)
}
