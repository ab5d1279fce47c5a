import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { Batches } from './batches.ts'
import { isConnectionLost } from './errors/connection-lost.ts'
import { createDb, createPool } from './pool.ts'

/** How long a read waits for the replica to catch up before it goes to the primary. */
const replicaWaitMs = 200
/** How often an unavailable replica is checked. */
const checkIntervalMs = 1000
/** Timeout of a read on the replica. The primary is used instead. */
const readMs = 5000

interface ReplicaOptions {
  primaryUrl: string
  replicaUrl: string
  /** Connections for reads. Primary and replica use one more each to read WAL positions. */
  max: number
  log: Log
}

/**
 * Routes reads that do not depend on the viewer to a streaming replica where one is available, else to the primary.
 * Reads are at least as fresh as the primary at the time of the request: the replica must have replayed the primary's
 * current WAL position. Concurrent reads share one such check.
 */
export class ReplicaRouter<Database> {
  readonly #primary: Kysely<Database>
  readonly #onRead: (from: 'primary' | 'replica') => void
  readonly #replica: Replica<Database> | undefined

  /** `onRead` is called for each read. */
  constructor(
    primary: Kysely<Database>,
    options: ReplicaOptions | undefined,
    onRead: (from: 'primary' | 'replica') => void,
  ) {
    this.#primary = primary
    this.#onRead = onRead
    this.#replica = options && new Replica(options)
  }

  /** Undefined without a replica. The reason is null while the replica is used. */
  get replica(): { unavailableReason: string | null } | undefined {
    return this.#replica && { unavailableReason: this.#replica.unavailableReason }
  }

  /** Runs `work`, which must only read. It may run twice, as a replica may cancel any statement. */
  async run<Result>(work: (db: Kysely<Database>) => Promise<Result>): Promise<Result> {
    const replica = this.#replica
    if (replica && (await replica.isCaughtUp())) {
      try {
        const result = await work(replica.db)
        this.#onRead('replica')
        return result
      } catch (error) {
        if (error instanceof AppError) throw error
        replica.noteFailure(error)
      }
    }
    this.#onRead('primary')
    return work(this.#primary)
  }

  async close(): Promise<void> {
    await this.#replica?.close()
  }
}

class Replica<Database> {
  readonly db: Kysely<Database>
  unavailableReason: string | null = 'not checked yet'
  readonly #log: Log
  readonly #pools: { reads: Pool; replica: Pool; primary: Pool }
  readonly #checkTimer: NodeJS.Timeout
  readonly #checks = new Batches<void, void>(async (calls) => {
    await this.#waitUntilCaughtUp()
    return calls
  }, Infinity)

  constructor({ primaryUrl, replicaUrl, max, log }: ReplicaOptions) {
    this.#log = log
    // A network that drops packets must not block reads.
    const brief = {
      connectionTimeoutMillis: checkIntervalMs,
      query_timeout: checkIntervalMs,
      idleTimeoutMillis: 0,
    }
    this.#pools = {
      reads: createPool(replicaUrl, max, {
        connectionTimeoutMillis: readMs,
        query_timeout: readMs,
        statementMs: readMs,
      }),
      replica: createPool(replicaUrl, 1, brief),
      primary: createPool(primaryUrl, 1, brief),
    }
    // the next read reports a lost connection
    for (const pool of Object.values(this.#pools)) pool.on('error', () => undefined)
    this.db = createDb(this.#pools.reads)
    void this.#recheck()
    this.#checkTimer = setInterval(() => void this.#recheck(), checkIntervalMs).unref()
  }

  /** Whether the replica has replayed everything that the primary had at the time of the call. */
  async isCaughtUp(): Promise<boolean> {
    if (this.unavailableReason !== null) return false
    try {
      await this.#checks.add()
      return true
    } catch (error) {
      this.#markUnavailable(error)
      return false
    }
  }

  /** Records a failed read. Only a lost connection makes the replica unavailable. */
  noteFailure(error: unknown): void {
    this.#log.info({ reason: reasonOf(error) }, 'read failed on the replica, retried on the primary')
    if (isConnectionLost(error)) this.#markUnavailable(error)
  }

  async close(): Promise<void> {
    clearInterval(this.#checkTimer)
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end()))
  }

  async #recheck(): Promise<void> {
    if (this.unavailableReason === null) return
    try {
      await this.#assertSameCluster()
      await this.#checks.add()
      this.unavailableReason = null
      this.#log.info('replica used')
    } catch (error) {
      this.unavailableReason = reasonOf(error)
    }
  }

  #markUnavailable(error: unknown): void {
    if (this.unavailableReason !== null) return
    this.unavailableReason = reasonOf(error)
    this.#log.warn({ reason: this.unavailableReason }, 'replica unavailable')
  }

  /** WAL positions of different clusters compare without an error, but mean nothing. */
  async #assertSameCluster(): Promise<void> {
    const readId = async (pool: Pool) => {
      const { rows } = await pool.query<{ id: string }>(
        'select system_identifier::text as id from pg_control_system()',
      )
      return rows[0]?.id
    }
    const [primary, replica] = await Promise.all([readId(this.#pools.primary), readId(this.#pools.replica)])
    if (primary !== replica) throw new Error('not a replica of this database')
  }

  /** Throws when the replica has not caught up with the primary in time. */
  async #waitUntilCaughtUp(): Promise<void> {
    const deadline = performance.now() + replicaWaitMs
    // The insert position includes every acknowledged commit, also with synchronous_commit off. At a page boundary it
    // can be a few bytes past the end of the log: then the replica counts as lagging until the next write.
    const { rows } = await withTimeout(
      this.#pools.primary.query<{ position: string }>('select pg_current_wal_insert_lsn()::text as position'),
    )
    for (;;) {
      const { rows: replicaRows } = await withTimeout(
        this.#pools.replica.query<{ isReplica: boolean; isCaughtUp: boolean | null }>(
          `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= $1::pg_lsn as "isCaughtUp"`,
          [rows[0]?.position],
        ),
      )
      if (!replicaRows[0]?.isReplica) throw new Error('not a replica')
      if (replicaRows[0].isCaughtUp) return
      if (performance.now() > deadline) throw new Error('lags behind the primary')
      await delay(2)
    }
  }
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), replicaWaitMs)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** A connection refused at every address of a name has a code but no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : 'does not respond')
}
