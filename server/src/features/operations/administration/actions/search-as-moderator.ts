import type { WebContext } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { moderatorSearchesAtOnce } from '../limits.ts'

/** Reads a list. Searches for a text read every row, which takes long: they are limited, each moderator to one at a time. */
export function searchAsModerator<List>(
  { db, limits }: Pick<WebContext, 'db' | 'limits'>,
  moderatorId: string,
  text: string | undefined,
  list: (db: Db) => Promise<List>,
): Promise<List> {
  if (!text) return list(db)
  return limits.of(moderatorSearchesAtOnce).run(moderatorId, () => withLongStatements(db, list))
}
