import { statfs } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { Reads } from './platform/db/reads.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import { type Counter, type Histogram, Metrics } from './platform/metrics/metrics.ts'
import { watchProcess } from './platform/metrics/process-metrics.ts'

/** What a site counts of itself, apart from its requests. */
export interface Measurements {
  /** All of it, to be read. */
  metrics: Metrics
  /** How long players waited for a segment that was not there, by how it ended. */
  segmentWaits: Histogram
  /** How long jobs took, by kind and outcome: the encodes are those of playback. */
  jobs: Histogram
  /** How long the storage took, by verb and kind of object. */
  storage: Histogram
  /** Reads for everybody, by which database answered. */
  reads: Counter
  /** Whether what was asked for was there: segments that are made, answers kept ready. */
  cacheAsks: Counter
  storedBytes: Counter
  evictedBytes: Counter
}

const secondsOfWaits = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30]
const secondsOfJobs = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 900]
const secondsOfStorage = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

export function createMeasurements(): Measurements {
  const metrics = new Metrics()
  watchProcess(metrics)
  return {
    metrics,
    segmentWaits: metrics.histogram(
      'kinora_segment_wait_seconds',
      'How long players waited for a segment that was not made yet.',
      secondsOfWaits,
    ),
    jobs: metrics.histogram('kinora_job_seconds', 'How long jobs took in this process.', secondsOfJobs),
    storage: metrics.histogram(
      'kinora_storage_operation_seconds',
      'How long operations of the storage took.',
      secondsOfStorage,
    ),
    reads: metrics.counter(
      'kinora_shared_reads_total',
      'Reads that are the same for everybody, by which database answered: primary or replica.',
    ),
    cacheAsks: metrics.counter(
      'kinora_cache_asks_total',
      'What was asked of a cache, segments or answers, by outcome: hit or miss. Without what a server in front sent by itself.',
    ),
    storedBytes: metrics.counter('kinora_storage_stored_bytes_total', 'Bytes stored, by kind of object.'),
    evictedBytes: metrics.counter(
      'kinora_cache_evicted_bytes_total',
      'Bytes of segments deleted to make room.',
    ),
  }
}

/** What is looked up when somebody reads. All processes say the same of the queue. */
export function watchSite<Database>(
  { metrics }: Measurements,
  { pool, reads, jobs, dataDir }: { pool: Pool; reads: Reads<Database>; jobs: Jobs; dataDir: string },
): void {
  metrics.ask('kinora_database_connections', 'Connections of this process, by state.', 'gauge', () => [
    [{ state: 'idle' }, pool.idleCount],
    [{ state: 'busy' }, pool.totalCount - pool.idleCount],
    [{ state: 'waited_for' }, pool.waitingCount],
  ])
  metrics.ask('kinora_replica_used', 'Whether the replica of the database is used: 1 or 0.', 'gauge', () => {
    const { replica } = reads
    return replica ? [[{}, replica.skippedFor === null ? 1 : 0]] : []
  })
  metrics.ask('kinora_queue_jobs', 'Jobs in the queue, by kind and state.', 'gauge', async () =>
    (await jobs.summarize()).flatMap(({ name, ...counts }) =>
      (['waiting', 'later', 'running', 'failed'] as const).map(
        (state): [{ job: string; state: string }, number] => [{ job: name, state }, counts[state]],
      ),
    ),
  )
  metrics.ask(
    'kinora_queue_oldest_waiting_seconds',
    'How long the oldest job that could run has been waiting, by kind.',
    'gauge',
    async () =>
      (await jobs.summarize()).map(({ name, oldestWaitingSeconds }): [{ job: string }, number] => [
        { job: name },
        oldestWaitingSeconds,
      ]),
  )
  metrics.ask('kinora_disk_bytes', 'The disk of DATA_DIR, by what of it.', 'gauge', async () => {
    const { blocks, bavail, bsize } = await statfs(dataDir)
    return [
      [{ part: 'size' }, blocks * bsize],
      [{ part: 'free' }, bavail * bsize],
    ]
  })
}
