import pLimit from 'p-limit'
import type { Log } from '../log.ts'
import { DedicatedConnection } from './dedicated-connection.ts'

/**
 * Locks across processes: advisory locks of PostgreSQL, owned by one connection. They are released when the process
 * ends or loses that connection.
 */
export class ProcessLocks {
  readonly #log: Log
  /** A connection runs one statement at a time. */
  readonly #limit = pLimit(1)
  readonly #connection: DedicatedConnection
  /** Names of the locks that the connection holds. */
  readonly #held = new Set<string>()

  constructor(connectionString: string, log: Log) {
    this.#log = log
    this.#connection = new DedicatedConnection({
      connectionString,
      onError: (error) => log.warn({ err: error }, 'process locks: connection lost'),
      onEnd: () => this.#held.clear(),
    })
  }

  /** Whether this process took a lock, and has not lost it with its connection as far as it knows. */
  isHeld(name: string): boolean {
    return this.#held.has(name)
  }

  /** Takes a lock; false if it is taken, by this process or another. */
  take(name: string): Promise<boolean> {
    return this.#limit(async () => {
      // advisory locks are reentrant
      if (this.#held.has(name)) return false
      const client = await this.#connection.get()
      const { rows } = await client.query<{ isTaken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isTaken"',
        [name],
      )
      const isTaken = rows[0]?.isTaken ?? false
      if (isTaken) this.#held.add(name)
      return isTaken
    })
  }

  /** Releases a lock. Does nothing if it was lost with its connection. */
  release(name: string): Promise<void> {
    return this.#limit(async () => {
      if (!this.#held.delete(name)) return
      const client = await this.#connection.ifOpen()
      await client
        ?.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
        .catch((error: unknown) => this.#log.warn({ err: error }, 'process locks: release failed'))
    })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
