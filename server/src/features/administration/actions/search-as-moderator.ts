import type { WebContext } from '../../../context.ts'
import type { Db } from '../../../database.ts'
import { allowLongStatements } from '../../../platform/db/pool.ts'

/** Reads a list. One with a text reads every row, which takes long: a moderator has one such search at a time. */
export function searchAsModerator<List>(
  { db, limits }: Pick<WebContext, 'db' | 'limits'>,
  moderatorId: string,
  text: string | undefined,
  list: (db: Db) => Promise<List>,
): Promise<List> {
  if (!text) return list(db)
  return limits.moderatorSearchesAtOnce.run(moderatorId, () =>
    db.transaction().execute(async (transaction) => {
      await allowLongStatements(transaction)
      return list(transaction)
    }),
  )
}
