import { operationErrors } from '@kinora/contract/operations/errors.ts'
import { commandLine } from '@kinora/contract/constants.ts'
import { hasRole, type Role } from '@kinora/contract/accounts/roles.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'

/** Acting account, or null for the command line of the machine. */
export type Actor = Pick<Viewer, 'id' | 'username' | 'role'> | null

/** Name of an actor in the audit log. */
export const actorName = (actor: Actor): string => actor?.username ?? commandLine

/**
 * Throws `forbidden` unless an actor may suspend, promote or delete an account: nobody their own, so that one
 * administrator always stays; moderators only those of members.
 */
export function assertMayChange(actor: Actor, account: { id: string; role: Role }): void {
  if (!actor) return
  if (actor.id === account.id) throw new AppError(operationErrors.notYourOwnAccount)
  if (account.role !== 'member' && !hasRole(actor.role, 'administrator'))
    throw new AppError(operationErrors.administratorForStaff)
}

/** Throws `forbidden` for moderators who would show their own video again: another moderator has taken it down. */
export function assertMayShowAgain(actor: Actor, ownerId: string): void {
  if (actor?.id === ownerId && !hasRole(actor.role, 'administrator'))
    throw new AppError(operationErrors.ownVideos)
}
