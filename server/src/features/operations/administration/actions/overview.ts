import type { Context } from '../../../../context/context.ts'
import { reuseSlowResults } from '@kinora/platform/concurrency/reuse-slow-results.ts'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { countContent } from '../queries.ts'

/** Counts of the site's content, estimated on a large site; on a loaded machine they may be some minutes old. */
export const getOverview = reuseSlowResults(
  ({ db, clock }: Pick<Context, 'db' | 'clock'>, moderatorId: string) =>
    withLongStatements(db, (transaction) => countContent(transaction, clock.now(), moderatorId)),
)
