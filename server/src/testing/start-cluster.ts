import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLog } from '../platform/log.ts'
import { startEmbedded } from '../platform/db/embedded.ts'
import { migrate, migrationsDirectory } from '../platform/db/migrate.ts'
import { findPort } from '../supervisor/address.ts'
import { type Child, keepRunning } from '../supervisor/child.ts'
import { startBalancer } from './balancer.ts'
import { generousLimits } from './generous-limits.ts'

export interface Cluster {
  /** The balancer. */
  origin: string
  /** Every web process by itself. */
  webs: readonly string[]
  dataDir: string
  databaseUrl: string
  /** Kills one on the spot; it is started again after a moment, as a service manager would. */
  killWeb(index: number): void
  killWorker(index: number): void
  stop(): Promise<void>
}

const webCount = 3
const workerCount = 2

/** Three web and two worker processes on one PostgreSQL and one storage, behind a balancer that knows no visitor. */
export async function startCluster(): Promise<Cluster> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-cluster-'))
  const log = createLog('silent', 'cluster')
  const database = await startEmbedded({ dataDir, log })
  await migrate(database.url, migrationsDirectory)
  const base = {
    ...process.env,
    ...generousLimits,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'warn',
    PREPARE_POLICY: 'popular',
    UPLOADS_PER_USER: '100',
  }
  const module = path.join(import.meta.dirname, '../main.ts')
  const ports: number[] = []
  while (ports.length < webCount) {
    const port = await findPort('127.0.0.1', 0, 0)
    if (!ports.includes(port)) ports.push(port)
  }
  const webs = ports.map((port) =>
    keepRunning({ module, role: 'web', env: { ...base, PORT: String(port) } }, log),
  )
  const workers = Array.from({ length: workerCount }, () =>
    keepRunning({ module, role: 'worker', env: base }, log),
  )
  const balancer = await startBalancer(ports)
  const origins = ports.map((port) => `http://127.0.0.1:${port}`)
  await Promise.all(origins.map(untilReady))

  return {
    origin: balancer.origin,
    webs: origins,
    dataDir,
    databaseUrl: database.url,
    killWeb: (index) => webs[index]?.crash(),
    killWorker: (index) => workers[index]?.crash(),
    async stop() {
      await balancer.close()
      await Promise.all([...webs, ...workers].map((child: Child) => child.stop(20_000)))
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilReady(origin: string): Promise<void> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    await answer?.text()
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${origin} did not get ready`)
}
