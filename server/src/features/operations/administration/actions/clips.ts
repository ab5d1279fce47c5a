import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { type DeletedClip, deleteClips } from '../../../watching/clips/queries/clips.ts'
import type { Actor } from '../rules.ts'
import { record } from './audit-log.ts'

/** Removes clips of anybody. Returns the ids of those that existed. */
export async function deleteAnyClips(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  ids: readonly string[],
  also?: (db: Db, deleted: DeletedClip[]) => Promise<void>,
): Promise<string[]> {
  return context.db.transaction().execute(async (db) => {
    const deleted = await deleteClips(db, ids)
    const subjects = deleted.map(({ id, title }) => ({ subject: id, details: title }))
    await record({ ...context, db }, actor, 'delete_clip', subjects)
    await also?.(db, deleted)
    return deleted.map(({ id }) => id)
  })
}
