import type { Log } from '../log.ts'
import { DedicatedConnection, type SilenceLimits } from './dedicated-connection.ts'

/**
 * Locks across processes: advisory locks of PostgreSQL, owned by one connection. They are released when the process
 * ends or loses that connection.
 */
export class ProcessLocks {
  readonly #log: Log
  readonly #connection: DedicatedConnection
  /** Names of the locks that the connection holds. */
  readonly #held = new Set<string>()
  readonly #taking = new Set<string>()

  constructor(connectionString: string, log: Log, limits?: SilenceLimits) {
    this.#log = log
    this.#connection = new DedicatedConnection({
      connectionString,
      limits,
      onError: (error) => log.warn({ err: error }, 'process locks: connection lost'),
      onEnd: () => this.#held.clear(),
    })
  }

  /** Whether this process took a lock, and has not lost it with its connection as far as it knows. */
  isHeld(name: string): boolean {
    return this.#held.has(name)
  }

  /** Takes a lock; false if it is taken, by this process or another. */
  async take(name: string): Promise<boolean> {
    // advisory locks are reentrant
    if (this.#held.has(name) || this.#taking.has(name)) return false
    this.#taking.add(name)
    try {
      const { rows } = await this.#connection.query<{ isTaken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isTaken"',
        [name],
      )
      const isTaken = rows[0]?.isTaken ?? false
      if (isTaken) this.#held.add(name)
      return isTaken
    } finally {
      this.#taking.delete(name)
    }
  }

  /** Releases a lock. Does nothing if it was lost with its connection. */
  async release(name: string): Promise<void> {
    if (!this.#held.delete(name)) return
    await this.#connection
      .queryIfOpen('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
      .catch((error: unknown) => this.#log.warn({ err: error }, 'process locks: release failed'))
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
