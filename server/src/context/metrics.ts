import { readdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ReplicaRouter } from '@kinora/platform/db/replica-router.ts'
import type { Jobs } from '@kinora/platform/jobs/jobs.ts'
import { registerCollectedGauge } from '@kinora/platform/metrics/collected-gauge.ts'
import { registerProcessMetrics } from '@kinora/platform/metrics/process-metrics.ts'
import { readVersion } from './version.ts'

/** Metrics of a process, apart from those of HTTP requests. */
export interface Metrics {
  registry: Registry
  /** Time that players waited for a segment that was not cached, by outcome and kind (`video` or `live`). */
  segmentWaits: Histogram<'outcome' | 'kind'>
  /** Duration of jobs, by queue and outcome. */
  jobs: Histogram<'queue' | 'outcome'>
  /** Duration of storage operations, by operation and kind of object. */
  storage: Histogram<'operation' | 'area' | 'outcome'>
  /** Reads that do not depend on the viewer, by database server. */
  reads: Counter<'server'>
  /** Cache lookups, by cache (`segments` or `responses`) and outcome (`hit` or `miss`). */
  cacheRequests: Counter<'cache' | 'outcome'>
  /** Rejected uploads, by reason. */
  rejectedUploads: Counter<'reason'>
  storedBytes: Counter<'area'>
  evictedBytes: Counter
}

const waitBuckets = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30]
const jobBuckets = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 900]
const storageBuckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  registerProcessMetrics(registry)
  return {
    registry,
    segmentWaits: new Histogram({
      name: 'kinora_segment_wait_seconds',
      help: 'Time that players waited for a segment to be encoded, by outcome, and whether it is one of a live stream.',
      labelNames: ['outcome', 'kind'],
      buckets: waitBuckets,
      registers,
    }),
    jobs: new Histogram({
      name: 'kinora_job_seconds',
      help: 'Duration of jobs in this process, by queue and outcome.',
      labelNames: ['queue', 'outcome'],
      buckets: jobBuckets,
      registers,
    }),
    storage: new Histogram({
      name: 'kinora_storage_operation_seconds',
      help: 'Duration of storage operations.',
      labelNames: ['operation', 'area', 'outcome'],
      buckets: storageBuckets,
      registers,
    }),
    reads: new Counter({
      name: 'kinora_public_reads_total',
      help: 'Database reads that do not depend on the visitor, by server: primary or replica.',
      labelNames: ['server'],
      registers,
    }),
    cacheRequests: new Counter({
      name: 'kinora_cache_requests_total',
      help: 'Cache lookups, by cache and outcome. Files that a server in front delivers are not included.',
      labelNames: ['cache', 'outcome'],
      registers,
    }),
    rejectedUploads: new Counter({
      name: 'kinora_uploads_rejected_total',
      help: 'Uploads that were refused, by reason: quota, disk, video, thumbnail, or the code of the error.',
      labelNames: ['reason'],
      registers,
    }),
    storedBytes: new Counter({
      name: 'kinora_storage_stored_bytes_total',
      help: 'Bytes written to the storage, by kind of object.',
      labelNames: ['area'],
      registers,
    }),
    evictedBytes: new Counter({
      name: 'kinora_cache_evicted_bytes_total',
      help: 'Bytes of segments deleted to free space.',
      registers,
    }),
  }
}

/** Registers gauges that are read at each scrape. Those of the queue are the same in all processes. */
export function registerSiteGauges<Database>(
  { registry }: Metrics,
  { pool, reads, jobs, dataDir }: { pool: Pool; reads: ReplicaRouter<Database>; jobs: Jobs; dataDir: string },
): void {
  registerCollectedGauge(
    registry,
    {
      name: 'kinora_database_connections',
      help: 'Database connections of this process, by state.',
      labelNames: ['state'],
    },
    () => [
      [{ state: 'idle' }, pool.idleCount],
      [{ state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ state: 'waiting' }, pool.waitingCount],
    ],
  )
  registerCollectedGauge(
    registry,
    {
      name: 'kinora_replica_used',
      help: '1 while the database replica is in use, 0 while it is not.',
      labelNames: [],
    },
    () => {
      const { unavailableReason } = reads
      return unavailableReason === undefined ? [] : [[{}, unavailableReason === null ? 1 : 0]]
    },
  )
  registerCollectedGauge(
    registry,
    { name: 'kinora_queue_jobs', help: 'Jobs by queue and state.', labelNames: ['queue', 'state'] },
    async () =>
      (await jobs.summarize()).flatMap(({ name, ...counts }) =>
        (['waiting', 'later', 'running', 'failed'] as const).map(
          (state): [{ queue: string; state: string }, number] => [{ queue: name, state }, counts[state]],
        ),
      ),
  )
  registerCollectedGauge(
    registry,
    {
      name: 'kinora_queue_oldest_waiting_seconds',
      help: 'Waiting time of the oldest runnable job, by queue.',
      labelNames: ['queue'],
    },
    async () =>
      (await jobs.summarize()).map(({ name, oldestWaitingSeconds }) => [
        { queue: name },
        oldestWaitingSeconds,
      ]),
  )
  const buildInfo = new Gauge({
    name: 'kinora_build_info',
    help: 'Version of this process, as a label. The value is always 1.',
    labelNames: ['version'],
    registers: [registry],
  })
  buildInfo.set({ version: readVersion() }, 1)
  registerCollectedGauge(
    registry,
    {
      name: 'kinora_backup_newest_timestamp_seconds',
      help: 'Unix time at which the newest backup in DATA_DIR/backups was finished. Absent without one.',
      labelNames: [],
    },
    async () => {
      const finishedAt = await findNewestBackup(path.join(dataDir, 'backups/snapshots'))
      return finishedAt === undefined ? [] : [[{}, finishedAt / 1000]]
    },
  )
  registerCollectedGauge(
    registry,
    {
      name: 'kinora_disk_bytes',
      help: 'Size and free space of the disk of DATA_DIR.',
      labelNames: ['part'],
    },
    async () => {
      const { blocks, bavail, bsize } = await statfs(dataDir)
      return [
        [{ part: 'size' }, blocks * bsize],
        [{ part: 'free' }, bavail * bsize],
      ]
    },
  )
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
