import type { Context } from '../../../../context/context.ts'
import { deleteSource } from '../jobs.ts'

/** Deletes a stored source after a delay, unless a video or an upload has it then. Counts from the commit of `db`. */
export async function deleteSourceLater(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  sourceKey: string,
  delaySeconds: number,
): Promise<void> {
  await jobs.enqueue(db, deleteSource, { sourceKey }, { delaySeconds })
}
