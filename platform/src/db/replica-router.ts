import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { AppError, describeError } from '../errors.ts'
import type { Log } from '../log.ts'
import { Batches } from './batches.ts'

/** How long a read waits for the replica to catch up before it goes to the primary. */
const replicaWaitMs = 200
/** How often an unavailable replica is checked. */
const checkIntervalMs = 1000

/**
 * Routes reads that are the same for several viewers to a streaming replica where one is available, else to the primary.
 * They are as fresh as on the primary: the replica must have replayed the primary's current WAL position.
 */
export class ReplicaRouter<Database> {
  /** Null while the replica is used; undefined without one. */
  unavailableReason: string | null | undefined
  readonly #db: { primary: Kysely<Database>; replica: Kysely<Database> | undefined }
  readonly #log: Pick<Log, 'info' | 'warn'>
  readonly #onRead: (from: 'primary' | 'replica') => void
  readonly #timer: NodeJS.Timeout | undefined
  /** Concurrent reads share one check. */
  readonly #checks = new Batches<void, boolean>(async (reads) => {
    const isCaughtUp = await this.#check()
    return reads.map(() => isCaughtUp)
  }, Infinity)

  constructor(
    db: { primary: Kysely<Database>; replica: Kysely<Database> | undefined },
    log: Log,
    onRead: (from: 'primary' | 'replica') => void,
  ) {
    this.#db = db
    this.#log = log
    this.#onRead = onRead
    if (!db.replica) return
    this.unavailableReason = 'not checked yet'
    const recheck = () => void (this.unavailableReason !== null && this.#checks.add())
    recheck()
    this.#timer = setInterval(recheck, checkIntervalMs).unref()
  }

  /** Runs `work`, which must only read. It may run twice, as a replica may cancel any statement. */
  async run<Result>(work: (db: Kysely<Database>) => Promise<Result>): Promise<Result> {
    const { primary, replica } = this.#db
    if (replica && this.unavailableReason === null && (await this.#checks.add())) {
      try {
        const result = await work(replica)
        this.#onRead('replica')
        return result
      } catch (error) {
        if (error instanceof AppError) throw error
      }
    }
    this.#onRead('primary')
    return work(primary)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#db.replica?.destroy()
  }

  async #check(): Promise<boolean> {
    const reason = await this.#waitUntilCaughtUp().then(() => null, describeError)
    if (reason === null && this.unavailableReason !== null) this.#log.info('replica used')
    if (reason !== null && this.unavailableReason === null) this.#log.warn({ reason }, 'replica unavailable')
    this.unavailableReason = reason
    return reason === null
  }

  async #waitUntilCaughtUp(): Promise<void> {
    const deadline = performance.now() + replicaWaitMs
    // The insert position includes every acknowledged commit, also with synchronous_commit off. At a page boundary it
    // can be a few bytes past the end of the log: then the replica counts as lagging until the next write.
    const { rows } = await sql<{ position: string; cluster: string }>`
      select pg_current_wal_insert_lsn()::text as position, system_identifier::text as cluster
      from pg_control_system()`.execute(this.#db.primary)
    for (;;) {
      const { rows: states } = await sql<{ cluster: string; isReplica: boolean; isCaughtUp: boolean | null }>`
        select system_identifier::text as cluster, pg_is_in_recovery() as is_replica,
          pg_last_wal_replay_lsn() >= ${rows[0]?.position}::pg_lsn as is_caught_up
        from pg_control_system()`.execute(this.#db.replica ?? this.#db.primary)
      // WAL positions of different clusters compare without an error, but mean nothing
      if (states[0]?.cluster !== rows[0]?.cluster) throw new Error('not a replica of this database')
      if (!states[0]?.isReplica) throw new Error('not a replica')
      if (states[0].isCaughtUp) return
      if (performance.now() > deadline) throw new Error('lags behind the primary')
      await delay(2)
    }
  }
}
