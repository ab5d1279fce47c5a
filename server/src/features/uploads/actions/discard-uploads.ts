import type { Context } from '../../../context.ts'
import { discardUnfinished } from '../jobs.ts'

/** Has deleted what somebody has begun to upload. For the transaction that deletes the account. */
export function discardUploads({ db, jobs }: Pick<Context, 'db' | 'jobs'>, ownerId: string): Promise<void> {
  return jobs.enqueue(db, discardUnfinished, { ownerId })
}
