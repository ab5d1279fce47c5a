import type { Context } from '../../../../context/context.ts'
import { deleteSource } from '../jobs.ts'

/** Deletes a stored source after a while, unless a video has it then; once the transaction of `db` commits. */
export async function deleteSourceLater(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  sourceKey: string,
  delaySeconds: number,
): Promise<void> {
  await jobs.enqueue(db, deleteSource, { sourceKey }, { delaySeconds })
}
