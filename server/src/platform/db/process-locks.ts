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

  constructor(connectionString: string, log: Log) {
    this.#log = log
    this.#connection = new DedicatedConnection({
      connectionString,
      onError: (error) => log.warn({ err: error }, 'process locks: connection lost'),
    })
  }

  /** Takes a lock; false if another process has it. Advisory locks are reentrant, so one process must not take a lock twice. */
  take(name: string): Promise<boolean> {
    return this.#limit(async () => {
      const client = await this.#connection.get()
      const { rows } = await client.query<{ isTaken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isTaken"',
        [name],
      )
      return rows[0]?.isTaken ?? false
    })
  }

  /** Releases a lock. Does nothing if it was lost with its connection. */
  release(name: string): Promise<void> {
    return this.#limit(async () => {
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
