import type { Log } from '../log.ts'
import { Semaphore } from '../concurrency/semaphore.ts'
import { DedicatedConnection } from './dedicated-connection.ts'

/**
 * Locks that all processes see: PostgreSQL's own, held by one connection of this process, so that a process that dies
 * lets go of all of its locks. When the connection is lost, so are they.
 */
export class ProcessLocks {
  readonly #log: Log
  /** A connection does one thing at a time. */
  readonly #semaphore = new Semaphore(1)
  readonly #connection: DedicatedConnection

  constructor(connectionString: string, log: Log) {
    this.#log = log
    this.#connection = new DedicatedConnection({
      connectionString,
      onError: (error) => log.warn({ err: error }, 'connection of the locks lost'),
    })
  }

  /**
   * Takes a lock; false when another process has it. Nobody may ask for what this process holds already: it would be
   * granted again.
   */
  take(name: string): Promise<boolean> {
    return this.#semaphore.run(async () => {
      const client = await this.#connection.get()
      const { rows } = await client.query<{ isTaken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isTaken"',
        [name],
      )
      return rows[0]?.isTaken ?? false
    })
  }

  /** Lets go of a lock; one that was lost with its connection is free already. */
  release(name: string): Promise<void> {
    return this.#semaphore.run(async () => {
      const client = await this.#connection.ifOpen()
      await client
        ?.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
        .catch((error: unknown) => this.#log.warn({ err: error }, 'releasing a lock failed'))
    })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
