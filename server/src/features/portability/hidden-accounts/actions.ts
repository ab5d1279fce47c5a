import type { Context } from '../../../context/context.ts'
import type { HideCause } from '../../conversation/comments/queries/deletions.ts'
import { publishVisibility } from '../../visibility/queries.ts'
import { reconcileHiddenAccount } from './jobs.ts'
import { putHiddenAccount } from './queries.ts'

/**
 * Hides everything of an account on commit, and has its videos and comments hidden one by one in the background; with null, has
 * them shown again.
 */
export async function changeHidingLater(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  id: string,
  cause: HideCause | null,
): Promise<void> {
  await putHiddenAccount(db, id, cause)
  await publishVisibility(db, id)
  await jobs.enqueue(db, reconcileHiddenAccount, { id })
}
