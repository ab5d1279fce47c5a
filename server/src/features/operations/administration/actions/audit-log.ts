import type { AuditAction } from '@kinora/contract/operations/administration.ts'
import type { Context } from '../../../../context/context.ts'
import { insertAuditEntries } from '../queries.ts'
import { type Actor, actorName } from '../rules.ts'

type Subject = { subject: string; details?: string | null }

/** Records what an actor does, in the transaction of the action. */
export async function record(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  action: AuditAction,
  subjects: readonly Subject[],
): Promise<void> {
  const entry = { happenedAt: clock.now(), actor: actorName(actor), action }
  await insertAuditEntries(
    db,
    subjects.map(({ subject, details = null }) => ({ ...entry, subject, details })),
  )
}
