import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../context/config.ts'
import { startEmbedded, type EmbeddedDatabase } from '@kinora/platform/db/embedded/embedded.ts'
import { upgradeDatabase } from '../features/operations/backups/actions/upgrade.ts'
import type { Log } from '@kinora/platform/log.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { bindStorage } from '../features/operations/site/actions.ts'
import { issueSetupToken } from '../features/operations/setup/actions.ts'
import { withDb } from '@kinora/platform/db/pool.ts'
import { createStorage } from '@kinora/platform/storage/create-storage.ts'
import { siteUrl, findPort } from '@kinora/platform/listen-address.ts'
import { keepRunning, type Child } from './child.ts'
import { lockDataDir, type DataDirLock } from '@kinora/platform/files/data-dir.ts'
import { sharedBuffersFor } from '@kinora/platform/db/embedded/settings.ts'
import { checkDatabase } from '@kinora/platform/db/external-database.ts'
import { connectionsFor, countProcesses } from './process-counts.ts'
import { upgradePostgresql } from './upgrade-postgresql.ts'

const requestsDeadlineMs = 30_000
const jobsDeadlineMs = 15_000
/** Time that the processes of a killed predecessor have to end. */
const predecessorTimeoutMs = 15_000
const crashesBeforeGivingUp = 4

export interface Site {
  /** Resolves with the URL when the site is ready. Rejects with StartupError if it cannot start. */
  ready: Promise<string>
  /** The secret that sets up a site without an administrator; undefined for others, and before `ready`. */
  readonly setupToken: string | undefined
  /** Stops gracefully: finishes running requests, releases jobs, stops the database. Also allowed while starting. */
  stop(): Promise<void>
  /** Restarts web, worker and ingest, because their program changed. */
  restart(): void
  /** Kills all processes. The next start recovers. */
  kill(): void
}

export interface Surroundings {
  env: NodeJS.ProcessEnv
  log: Log
  /** Receives messages for the terminal. */
  print: (sentence: string) => void
  /** The file of a program in `bin/`, or of its bundle. */
  programFile: (name: 'web' | 'worker' | 'ingest') => string
}

/**
 * Starts the database, web and worker processes and keeps them running until `stop`. Call `prepareDataDir` first.
 */
export function supervise(config: Config, { env, log, print, programFile }: Surroundings): Site {
  const running: {
    lock?: DataDirLock
    database?: EmbeddedDatabase
    webs: Child[]
    workers: Child[]
    ingests: Child[]
  } = { webs: [], workers: [], ingests: [] }
  const allChildren = () => [...running.webs, ...running.workers, ...running.ingests]
  const counts = countProcesses(config)
  const state: { isStopping: boolean; setupToken?: string | undefined } = { isStopping: false }
  let childEnv: NodeJS.ProcessEnv = {}
  const ready = bringUp()

  return {
    ready,
    get setupToken() {
      return state.setupToken
    },
    async stop() {
      state.isStopping = true
      // The start may fail or be interrupted by this stop; `ready` has reported why.
      await ready.catch(() => {})
      // in this order: a request may wait for a segment of the worker, and both need the database
      await stopAll(running.webs, config.stopGraceSeconds * 1000 + requestsDeadlineMs)
      await stopAll([...running.workers, ...running.ingests], jobsDeadlineMs)
      await running.database?.stop()
      running.lock?.release()
    },
    restart() {
      for (const child of allChildren()) child.restart()
    },
    kill() {
      for (const child of allChildren()) child.kill()
    },
  }

  async function bringUp(): Promise<string> {
    running.lock = await takeDataDir(config.dataDir)
    const port = await findPort(config.host, config.port, running.lock.wasStale ? predecessorTimeoutMs : 0)
    // checked here, because the children would crash repeatedly
    const storage = await createStorage(config)
    const url = config.databaseUrl ?? (await startOwnDatabase())
    if (config.databaseUrl) await checkDatabase({ ...config, databaseUrl: url }, 5000)
    const { applied, backup } = await upgradeDatabase(config, url)
    if (applied.length > 0) log.info({ applied, backup }, 'database migrated')
    await running.database?.grantAppRole()
    await withDb(url, (db) => bindStorage({ db, storage }))
    state.setupToken = await findSetupToken(url)
    await storage.close()

    childEnv = { ...env, PORT: String(port), DATA_DIR: config.dataDir }
    startChildren({ ...childEnv, ...databaseEnv(running.database?.appUrl ?? url, config.databasePoolerUrl) })
    await untilReady(config.host, port)
    return siteUrl(config.host, port)
  }

  /** The token of the set-up link. A damaged database is reported by `doctor`, and does not keep the site from starting. */
  async function findSetupToken(url: string): Promise<string | undefined> {
    try {
      return await withDb(url, issueSetupToken)
    } catch (error) {
      log.warn({ err: error }, 'no link to set up the site')
      return undefined
    }
  }

  /** With METRICS_PORT, each process gets its own port, because each has its own metrics. */
  function startChildren(processEnv: NodeJS.ProcessEnv): void {
    const { metricsPort } = config
    const metricsArgs = (index: number) =>
      metricsPort === undefined ? [] : [`--metrics-port=${metricsPort + index}`]
    for (let index = 0; index < counts.webs; index += 1) {
      const args = counts.webs === 1 ? [] : ['--share-port', ...metricsArgs(counts.workers + index)]
      running.webs.push(keepRunning({ module: programFile('web'), args, env: processEnv }, log))
    }
    for (let index = 0; index < counts.workers; index += 1)
      running.workers.push(
        keepRunning({ module: programFile('worker'), args: metricsArgs(index), env: processEnv }, log),
      )
    if (config.live) {
      const args = metricsArgs(counts.workers + (counts.webs === 1 ? 0 : counts.webs))
      running.ingests.push(keepRunning({ module: programFile('ingest'), args, env: processEnv }, log))
    }
  }

  async function startOwnDatabase(): Promise<string> {
    if (!existsSync(join(config.dataDir, 'postgres')))
      print('Creating the database (only at the first start) ...')
    else await upgradePostgresql(config.dataDir, log, print)
    running.database = await startEmbedded({
      dataDir: config.dataDir,
      log,
      settings: {
        max_connections: String(connectionsFor(counts, config.databasePoolMax, config.live ? 1 : 0)),
        shared_buffers: sharedBuffersFor(),
      },
      onMoved: followDatabase,
    })
    return running.database.url
  }

  /** Restarts the children with the new URL. Their open connections cannot be used any more. */
  function followDatabase(url: string): void {
    for (const child of allChildren()) child.crash({ ...childEnv, ...databaseEnv(url) })
  }

  async function untilReady(host: string, port: number): Promise<void> {
    const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
    const url = `${siteUrl(local, port)}/readyz`
    const isHopeless = () => running.webs.some(({ crashes }) => crashes >= crashesBeforeGivingUp)
    while (!isHopeless() && !state.isStopping) {
      if (await isOk(url)) return
      await delay(20)
    }
    if (state.isStopping) throw new StartupError('It was stopped before it was ready.')
    throw new StartupError('The web process crashes repeatedly at the start. The lines above show the cause.')
  }
}

/** Stops children concurrently. */
async function stopAll(children: Child[], deadlineMs: number): Promise<void> {
  await Promise.all(children.map((child) => child.stop(deadlineMs)))
}

/** Whether a GET answers 200. Uses `node:http`, because loading `fetch` takes longer than all its calls here. */
function isOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: 5000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    // not reachable yet
    request.on('error', () => resolve(false))
  })
}

/** Locks the data directory; waits for a predecessor that is stopping. */
async function takeDataDir(dataDir: string): Promise<DataDirLock> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const lock = lockDataDir(dataDir)
    if (lock) return lock
    await delay(200)
  }
  throw new StartupError(
    `Another Kinora already runs on DATA_DIR (${dataDir}): stop it first, or set DATA_DIR to another directory.`,
  )
}

/** Environment of the children with the database. The files of DATABASE_URL_FILE and the like have been read already. */
function databaseEnv(url: string, poolerUrl?: string): NodeJS.ProcessEnv {
  const direct = { DATABASE_DIRECT_URL: url, DATABASE_DIRECT_URL_FILE: '' }
  return { DATABASE_URL: poolerUrl ?? url, DATABASE_URL_FILE: '', ...(poolerUrl === undefined ? {} : direct) }
}
