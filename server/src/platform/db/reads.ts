import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { Batches } from './batches.ts'
import { isConnectionLost } from './connection-lost.ts'
import { createDb, createPool } from './pool.ts'

/** How long an answer waits for the replica to have caught up, before the primary is asked instead. */
const patienceMs = 200
/** How often a replica that is skipped is looked at. */
const lookMs = 1000
/** After so long without an answer a read is asked of the primary. */
const readMs = 5000

interface ReplicaOptions {
  primaryUrl: string
  replicaUrl: string
  /** Connections for reads; each side has one more, for the positions. */
  max: number
  log: Log
}

/**
 * Where what is the same for everybody is read: from a streaming replica, where there is one and it can be used, else
 * from the primary. Nobody reads less there than the primary would show him: before each read the primary is asked how
 * far its log goes, and the replica must have replayed it up to there. Reads that come at once ask together.
 */
export class Reads<Database> {
  readonly #primary: Kysely<Database>
  readonly #onRead: (from: 'primary' | 'replica') => void
  readonly #replica: Replica<Database> | undefined

  /** `onRead` is told of every read. */
  constructor(
    primary: Kysely<Database>,
    options: ReplicaOptions | undefined,
    onRead: (from: 'primary' | 'replica') => void,
  ) {
    this.#primary = primary
    this.#onRead = onRead
    this.#replica = options && new Replica(options)
  }

  /** Whether there is a replica, and why it is not used; null when it is. */
  get replica(): { skippedFor: string | null } | undefined {
    return this.#replica && { skippedFor: this.#replica.skippedFor }
  }

  /** Runs `work`, which only reads, and may run twice: a replica may cancel any statement. */
  async run<Result>(work: (db: Kysely<Database>) => Promise<Result>): Promise<Result> {
    const replica = this.#replica
    if (replica && (await replica.isCurrent())) {
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
  skippedFor: string | null = 'it was not asked yet'
  readonly #log: Log
  readonly #pools: { reads: Pool; itself: Pool; primary: Pool }
  readonly #looks: NodeJS.Timeout
  readonly #checks = new Batches<void, void>(async (askers) => {
    await this.#waitUntilCurrent()
    return askers
  }, Infinity)

  constructor({ primaryUrl, replicaUrl, max, log }: ReplicaOptions) {
    this.#log = log
    // a network that swallows everything must not keep anybody waiting
    const brief = { connectionTimeoutMillis: lookMs, query_timeout: lookMs, idleTimeoutMillis: 0 }
    this.#pools = {
      reads: createPool(replicaUrl, max, {
        connectionTimeoutMillis: readMs,
        query_timeout: readMs,
        statementMs: readMs,
      }),
      itself: createPool(replicaUrl, 1, brief),
      primary: createPool(primaryUrl, 1, brief),
    }
    // what became of a connection shows when the next read asks
    for (const pool of Object.values(this.#pools)) pool.on('error', () => undefined)
    this.db = createDb(this.#pools.reads)
    void this.#look()
    this.#looks = setInterval(() => void this.#look(), lookMs).unref()
  }

  /** Whether it may be read from: it has everything that the primary had when this was asked. */
  async isCurrent(): Promise<boolean> {
    if (this.skippedFor !== null) return false
    try {
      await this.#checks.add()
      return true
    } catch (error) {
      this.#skip(error)
      return false
    }
  }

  /** A read failed here: that may be its own fault, or this replica is gone. */
  noteFailure(error: unknown): void {
    this.#log.info({ reason: reasonOf(error) }, 'read failed on the replica, asked again of the primary')
    if (isConnectionLost(error)) this.#skip(error)
  }

  async close(): Promise<void> {
    clearInterval(this.#looks)
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end()))
  }

  /** Looks whether a replica that is skipped can be used again. */
  async #look(): Promise<void> {
    if (this.skippedFor === null) return
    try {
      await this.#demandSameCluster()
      await this.#checks.add()
      this.skippedFor = null
      this.#log.info('replica used')
    } catch (error) {
      this.skippedFor = reasonOf(error)
    }
  }

  #skip(error: unknown): void {
    if (this.skippedFor !== null) return
    this.skippedFor = reasonOf(error)
    this.#log.warn({ reason: this.skippedFor }, 'replica skipped')
  }

  /** Positions in the logs of two different clusters would compare as well, and mean nothing. */
  async #demandSameCluster(): Promise<void> {
    const ask = async (pool: Pool) => {
      const { rows } = await pool.query<{ id: string }>(
        'select system_identifier::text as id from pg_control_system()',
      )
      return rows[0]?.id
    }
    const [primary, itself] = await Promise.all([ask(this.#pools.primary), ask(this.#pools.itself)])
    if (primary !== itself) throw new Error('it is no replica of this database')
  }

  /** Throws when the replica has not caught up with the primary in time. */
  async #waitUntilCurrent(): Promise<void> {
    const deadline = performance.now() + patienceMs
    // The insert position is never before what anybody has been told is committed, also with synchronous_commit off.
    // At the edge of a page it may be a few bytes after the end of the log: then the replica rests until the next write.
    const { rows } = await inTime(
      this.#pools.primary.query<{ position: string }>('select pg_current_wal_insert_lsn()::text as position'),
    )
    for (;;) {
      const { rows: answers } = await inTime(
        this.#pools.itself.query<{ isReplica: boolean; isCurrent: boolean | null }>(
          `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= $1::pg_lsn as "isCurrent"`,
          [rows[0]?.position],
        ),
      )
      if (!answers[0]?.isReplica) throw new Error('it is no replica')
      if (answers[0].isCurrent) return
      if (performance.now() > deadline) throw new Error('it lags behind')
      await delay(2)
    }
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), patienceMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A connection that is refused at every address of a name says so only by its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : 'it does not answer')
}
