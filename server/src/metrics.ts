import { readdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import type { ReplicaRouter } from './platform/db/replica-router.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import { type Counter, type Histogram, MetricsRegistry } from './platform/metrics/metrics.ts'
import { registerProcessMetrics } from './platform/metrics/process-metrics.ts'
import { readVersion } from './version.ts'

/** Metrics of a process, apart from those of HTTP requests. */
export interface Metrics {
  registry: MetricsRegistry
  /** Time that players waited for a segment that was not cached, by outcome. */
  segmentWaits: Histogram
  /** Duration of jobs, by queue and outcome. */
  jobs: Histogram
  /** Duration of storage operations, by operation and kind of object. */
  storage: Histogram
  /** Reads that do not depend on the viewer, by database server. */
  reads: Counter
  /** Cache lookups, by cache (`segments` or `responses`) and outcome (`hit` or `miss`). */
  cacheRequests: Counter
  /** Rejected uploads, by reason. */
  rejectedUploads: Counter
  storedBytes: Counter
  evictedBytes: Counter
}

const secondsOfWaits = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30]
const secondsOfJobs = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 900]
const secondsOfStorage = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

export function createMetrics(): Metrics {
  const registry = new MetricsRegistry()
  registerProcessMetrics(registry)
  return {
    registry,
    segmentWaits: registry.histogram(
      'kinora_segment_wait_seconds',
      'Time that players waited for a segment to be encoded, by outcome.',
      secondsOfWaits,
    ),
    jobs: registry.histogram(
      'kinora_job_seconds',
      'Duration of jobs in this process, by queue and outcome.',
      secondsOfJobs,
    ),
    storage: registry.histogram(
      'kinora_storage_operation_seconds',
      'Duration of storage operations.',
      secondsOfStorage,
    ),
    reads: registry.counter(
      'kinora_public_reads_total',
      'Database reads that do not depend on the visitor, by server: primary or replica.',
    ),
    cacheRequests: registry.counter(
      'kinora_cache_requests_total',
      'Cache lookups, by cache and outcome. Files that a server in front delivers are not included.',
    ),
    rejectedUploads: registry.counter(
      'kinora_uploads_rejected_total',
      'Uploads that were refused, by reason: quota, disk, video, thumbnail, or the code of the error.',
    ),
    storedBytes: registry.counter(
      'kinora_storage_stored_bytes_total',
      'Bytes written to the storage, by kind of object.',
    ),
    evictedBytes: registry.counter(
      'kinora_cache_evicted_bytes_total',
      'Bytes of segments deleted to free space.',
    ),
  }
}

/** Registers gauges that are read at each scrape. Those of the queue are the same in all processes. */
export function registerSiteGauges<Database>(
  { registry }: Metrics,
  { pool, reads, jobs, dataDir }: { pool: Pool; reads: ReplicaRouter<Database>; jobs: Jobs; dataDir: string },
): void {
  registry.collect(
    'kinora_database_connections',
    'Database connections of this process, by state.',
    'gauge',
    () => [
      [{ state: 'idle' }, pool.idleCount],
      [{ state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ state: 'waiting' }, pool.waitingCount],
    ],
  )
  registry.collect(
    'kinora_replica_used',
    '1 while the database replica is in use, 0 while it is not.',
    'gauge',
    () => {
      const { replica } = reads
      return replica ? [[{}, replica.unavailableReason === null ? 1 : 0]] : []
    },
  )
  registry.collect('kinora_queue_jobs', 'Jobs by queue and state.', 'gauge', async () =>
    (await jobs.summarize()).flatMap(({ name, ...counts }) =>
      (['waiting', 'later', 'running', 'failed'] as const).map(
        (state): [{ queue: string; state: string }, number] => [{ queue: name, state }, counts[state]],
      ),
    ),
  )
  registry.collect(
    'kinora_queue_oldest_waiting_seconds',
    'Waiting time of the oldest runnable job, by queue.',
    'gauge',
    async () =>
      (await jobs.summarize()).map(({ name, oldestWaitingSeconds }): [{ queue: string }, number] => [
        { queue: name },
        oldestWaitingSeconds,
      ]),
  )
  const version = readVersion()
  registry.collect(
    'kinora_build_info',
    'Version of this process, as a label. The value is always 1.',
    'gauge',
    () => [[{ version }, 1]],
  )
  registry.collect(
    'kinora_backup_newest_timestamp_seconds',
    'Unix time at which the newest backup in DATA_DIR/backups was finished. Absent without one.',
    'gauge',
    async () => {
      const finishedAt = await findNewestBackup(path.join(dataDir, 'backups/snapshots'))
      return finishedAt === undefined ? [] : [[{}, finishedAt / 1000]]
    },
  )
  registry.collect('kinora_disk_bytes', 'Size and free space of the disk of DATA_DIR.', 'gauge', async () => {
    const { blocks, bavail, bsize } = await statfs(dataDir)
    return [
      [{ part: 'size' }, blocks * bsize],
      [{ part: 'free' }, bavail * bsize],
    ]
  })
}

/** Returns the time of the newest snapshot (from its name) in milliseconds since 1970. */
async function findNewestBackup(snapshots: string): Promise<number | undefined> {
  const names = await readdir(snapshots)
  const newest = names
    .filter((name) => !name.endsWith('.part'))
    .toSorted()
    .at(-1)
  if (newest === undefined) return undefined
  const { mtimeMs } = await stat(path.join(snapshots, newest, 'manifest.json'))
  return mtimeMs
}
