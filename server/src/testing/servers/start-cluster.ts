import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLog } from '@kinora/platform/log.ts'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../context/migrations.ts'
import { type Child, keepRunning } from '../../supervisor/child.ts'
import { startBalancer } from './balancer.ts'
import { generousLimits } from './generous-limits.ts'
import type { BucketSettings } from '@kinora/platform/testing/object-store.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'

/** Environment variables that describe the database to the site. */
export interface DatabaseSettings {
  DATABASE_URL: string
  DATABASE_DIRECT_URL?: string
  DATABASE_REPLICA_URL?: string
}

export interface Cluster {
  /** Base URL of the balancer. */
  origin: string
  /** Base URLs of the web processes. */
  webs: readonly string[]
  /** URL of the database, without a pooler. */
  databaseUrl: string
  /** Directory of the embedded database. */
  databaseDir: string
  /** Port for encoders; nothing listens there without `live`. */
  rtmpPort: number
  /** Kills a process immediately; it is restarted after a moment, as by a service manager. */
  killWeb(index: number): void
  killWorker(index: number): void
  killIngest(): void
  /** Stops a process gracefully and starts it again, as in an upgrade. */
  restartWeb(index: number): void
  stop(): Promise<void>
}

const webCount = 3
const workerCount = 2

/**
 * Three web and two worker processes on one PostgreSQL and one storage, behind a balancer without sticky sessions. With
 * a bucket each has a DATA_DIR of its own, as on separate machines. `database` has the settings of an empty one to use
 * instead of the embedded one; migrations connect to its `DATABASE_DIRECT_URL`, if there is one. With `live` there is an
 * ingest process, and everybody may stream.
 */
export async function startCluster({
  bucket,
  database,
  live = false,
}: {
  bucket?: BucketSettings | undefined
  database?: DatabaseSettings
  live?: boolean
} = {}): Promise<Cluster> {
  const home = await mkdtemp(path.join(tmpdir(), 'kinora-cluster-'))
  const log = createLog('silent', 'cluster')
  const embedded = database ? undefined : await startEmbedded({ dataDir: home, log })
  const settings = database ?? { DATABASE_URL: embedded?.url ?? '' }
  const databaseUrl = settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL
  await migrate(databaseUrl, migrationsDirectory)
  const rtmpPort = await findQuietPort()
  const envOf = (name: string) => ({
    ...process.env,
    ...generousLimits,
    ...(live && {
      LIVE: 'true',
      LIVE_ROLE: 'member',
      RTMP_HOST: '127.0.0.1',
      RTMP_PORT: String(rtmpPort),
    }),
    ...bucket,
    DATA_DIR: path.join(home, bucket ? name : 'shared'),
    ...settings,
    HOST: '127.0.0.1',
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'error',
    STOP_GRACE_SECONDS: '1',
    UPLOADS_PER_USER: '100',
  })
  const programs = path.join(import.meta.dirname, '../../bin')
  const ports: number[] = []
  while (ports.length < webCount) ports.push(await findQuietPort())
  const webs = ports.map((port, index) =>
    keepRunning(
      { module: path.join(programs, 'web.ts'), env: { ...envOf(`web-${index}`), PORT: String(port) } },
      log,
    ),
  )
  const workers = Array.from({ length: workerCount }, (_, index) =>
    keepRunning({ module: path.join(programs, 'worker.ts'), env: envOf(`worker-${index}`) }, log),
  )
  const ingest = live
    ? keepRunning({ module: path.join(programs, 'ingest.ts'), env: envOf('ingest') }, log)
    : undefined
  const balancer = await startBalancer(ports)
  const origins = ports.map((port) => `http://127.0.0.1:${port}`)
  await Promise.all(origins.map(untilReady))

  return {
    origin: balancer.origin,
    webs: origins,
    databaseUrl,
    databaseDir: path.join(home, 'postgres'),
    rtmpPort,
    killWeb: (index) => webs[index]?.crash(),
    killWorker: (index) => workers[index]?.crash(),
    killIngest: () => ingest?.crash(),
    restartWeb: (index) => webs[index]?.restart(),
    async stop() {
      await balancer.close()
      await Promise.all(
        [...webs, ...workers, ...(ingest ? [ingest] : [])].map((child: Child) => child.stop(20_000)),
      )
      await embedded?.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function untilReady(origin: string): Promise<void> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const isReady = await fetch(`${origin}/readyz`)
      .then(async (response) => {
        await response.text()
        return response.ok
      })
      .catch(() => false)
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${origin} did not get ready`)
}
