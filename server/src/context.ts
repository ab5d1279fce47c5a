import type { Config } from './config.ts'
import type { Database, Db } from './database.ts'
import type { Measurements } from './measurements.ts'
import type { Clock } from './platform/clock.ts'
import type { ProcessLocks } from './platform/db/process-locks.ts'
import type { Reads } from './platform/db/reads.ts'
import type { Signals } from './platform/db/signals.ts'
import type { DiskSpace } from './platform/files/disk-space.ts'
import type { RateLimits } from './platform/http/limits/rate-limit.ts'
import type { ReadyAnswers } from './platform/http/delivery/response-cache.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import type { Log } from './platform/log.ts'
import type { Ready } from './platform/readiness.ts'
import type { SiteSecret } from './platform/site-secret.ts'
import type { Storage } from './platform/storage/storage.ts'

/** What everything stands on; a handler names what it uses of it. */
export interface Context {
  config: Config
  db: Db
  /** Where what is the same for everybody is read. */
  reads: Reads<Database>
  storage: Storage
  /** The disk of DATA_DIR. */
  disk: DiskSpace
  jobs: Jobs
  /** Short messages between all processes. */
  signals: Signals
  /** What only so many processes may do at once. */
  locks: ProcessLocks
  /** Answers that are the same for everybody. */
  answers: ReadyAnswers
  clock: Clock
  limits: RateLimits
  /** Hashes what must not be stored as it is. */
  secret: SiteSecret
  measured: Measurements
  ready: Ready
  log: Log
}
