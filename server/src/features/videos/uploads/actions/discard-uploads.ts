import type { Context } from '../../../../context/context.ts'
import { discardUnfinished } from '../jobs.ts'

/** Enqueues the deletion of an account's unfinished uploads, in the transaction that deletes the account. */
export function discardUploads(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  ownerId: string,
): Promise<unknown> {
  return jobs.enqueue(db, discardUnfinished, { ownerId })
}
