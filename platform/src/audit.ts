import type { Log } from './log.ts'

export interface AuditEvent {
  /** Name of an endpoint or of a CLI command. */
  action: string
  /** Id of an account, `operator` for the CLI, or null for a signed-out visitor. */
  actor: string | null
  /** Id of the API token that authorized the change, if one did. */
  tokenId?: string | undefined
  /** Ids of what was changed, by name. */
  target?: Record<string, unknown>
  /** IP address of the client. */
  address?: string
}

/** Logs a change of an account or of content. Only these lines have `audit: true`. */
export function audit(
  log: Pick<Log, 'info'>,
  { action, actor, tokenId, target = {}, address }: AuditEvent,
): void {
  log.info({ audit: true, action, actor, tokenId, target, address }, 'change recorded')
}
