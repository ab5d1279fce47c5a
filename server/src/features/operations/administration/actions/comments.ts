import { hasRole } from '@kinora/contract/accounts/roles.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import {
  changeHeldComments,
  deleteComments,
  restoreComments,
} from '../../../conversation/comments/actions.ts'
import { moderation } from '../../../conversation/comments/queries/deletions.ts'
import type { Actor } from '../rules.ts'
import { record } from './audit-log.ts'

/** Deletes comments of anybody; for 30 days they can be restored. Returns the ids of those that existed. */
export async function deleteAnyComments(
  context: Context,
  actor: Actor,
  ids: readonly string[],
  also?: (db: Db, deleted: string[]) => Promise<void>,
): Promise<string[]> {
  const deleted = await deleteComments(context.db, ids, moderation, async (db, hidden) => {
    const subjects = hidden.map(({ id, content }) => ({ subject: id, details: content.slice(0, 200) }))
    await record({ ...context, db }, actor, 'delete_comment', subjects)
    await also?.(
      db,
      hidden.map(({ id }) => id),
    )
  })
  return deleted.map(({ id }) => id)
}

/** The author whose comments an actor may not publish: another moderator decides about a moderator's own. */
const ownOfModerator = (actor: Actor): string | null =>
  actor && !hasRole(actor.role, 'administrator') ? actor.id : null

/**
 * Restores comments that `deleteAnyComments` deleted within the last 30 days, but for a moderator's own. Returns the ids of
 * those.
 */
export async function restoreAnyComments(
  context: Context,
  actor: Actor,
  ids: readonly string[],
  also?: (db: Db, restored: string[]) => Promise<void>,
): Promise<string[]> {
  return context.db.transaction().execute(async (db) => {
    const restored = await restoreComments(db, ids, ownOfModerator(actor))
    const subjects = restored.map((id) => ({ subject: id }))
    await record({ ...context, db }, actor, 'restore_comment', subjects)
    await also?.(db, restored)
    return restored
  })
}

/**
 * Publishes comments that wait for approval, but for a moderator's own, or has them wait again. Returns the ids of those that
 * changed.
 */
export async function changeAnyHeld(
  context: Context,
  actor: Actor,
  ids: readonly string[],
  isHeld: boolean,
): Promise<string[]> {
  const changed = await changeHeldComments(
    context.db,
    ids,
    isHeld ? 'heldBySite' : 'published',
    (db, comments) =>
      record(
        { ...context, db },
        actor,
        isHeld ? 'hold_comment' : 'approve_comment',
        comments.map(({ id, content }) => ({ subject: id, details: content.slice(0, 200) })),
      ),
    isHeld ? null : ownOfModerator(actor),
  )
  return changed.map(({ id }) => id)
}
