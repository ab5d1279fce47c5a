import type { Invitation } from '@kinora/contract/operations/administration.ts'
import type { Context } from '../../../../context/context.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { newId } from '@kinora/platform/ids.ts'
import {
  deleteInvitation as deleteInvitationRow,
  insertInvitation,
  listInvitations,
} from '../../../accounts/invitations/queries.ts'
import type { Actor } from '../rules.ts'
import { record } from './audit-log.ts'

/** Creates a link with which `maxUses` people can register for some days; `note` says whom it is for. */
export async function createInvitation(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { maxUses, days, note = '' }: { maxUses: number; days: number; note?: string },
): Promise<Invitation> {
  const id = newId()
  const createdAt = context.clock.now()
  const expiresAt = new Date(createdAt.getTime() + days * dayMs)
  return context.db.transaction().execute(async (db) => {
    await insertInvitation(db, { id, createdBy: actor?.id ?? null, createdAt, expiresAt, maxUses, note })
    // The log does not hold the whole secret.
    await record({ ...context, db }, actor, 'create_invitation', [
      { subject: `${id.slice(0, 4)}…`, details: `${maxUses} × ${days} d` },
    ])
    const [created] = await listInvitations(db, id)
    if (!created) throw new Error('An inserted row is found in its transaction')
    return created
  })
}

/** Deletes an invitation. Throws `not_found`. */
export async function deleteInvitation(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    await deleteInvitationRow(db, id)
    await record({ ...context, db }, actor, 'delete_invitation', [{ subject: `${id.slice(0, 4)}…` }])
  })
}
