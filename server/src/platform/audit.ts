import type { Log } from './log.ts'

export interface AuditEvent {
  /** What was done: the name of an endpoint, or of an operator's command. */
  action: string
  /** Who did it: the id of an account, `operator`, or null for somebody signed out. */
  actor: string | null
  /** What it was done to, by name. */
  target?: Record<string, unknown>
  /** The address that it came from. */
  address?: string
}

/** Writes the line of a change to an account or to content: `audit` is true in these lines alone. */
export function audit(log: Pick<Log, 'info'>, { action, actor, target = {}, address }: AuditEvent): void {
  log.info({ audit: true, action, actor, target, address }, 'change recorded')
}
