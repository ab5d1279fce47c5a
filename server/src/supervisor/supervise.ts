import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { startEmbedded, type EmbeddedDatabase } from '../platform/db/embedded/embedded.ts'
import { upgradeDatabase } from '../features/backups/actions/upgrade.ts'
import type { Log } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'
import { bindStorage } from '../features/site/actions.ts'
import { withDb } from '../platform/db/pool.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { addressOf, findPort } from '../platform/listen-address.ts'
import { keepRunning, type Child } from './child.ts'
import { lockDataDir, type DataDirLock } from '../platform/files/data-dir.ts'
import { sharedBuffersFor } from '../platform/db/embedded/settings.ts'
import { checkDatabase } from '../platform/db/external-database.ts'
import { connectionsFor, countProcesses } from './process-counts.ts'
import { upgradePostgresql } from './upgrade-postgresql.ts'

const source = join(import.meta.dirname, '..')
const requestsDeadlineMs = 30_000
const jobsDeadlineMs = 15_000
/** How long what a killed predecessor left behind may take to go away by itself. */
const predecessorTimeoutMs = 15_000
const crashesBeforeGivingUp = 4

export interface Site {
  /** The address, once the site answers. Throws StartupError when something stands in the way. */
  ready: Promise<string>
  /** Lets requests in flight end, gives jobs back, then closes the database. At any time, also while starting. */
  stop(): Promise<void>
  /** Starts web and worker anew, because their program changed. */
  restart(): void
  /** Kills what is still running; the next start recovers. */
  kill(): void
}

export interface Surroundings {
  env: NodeJS.ProcessEnv
  log: Log
  /** Takes a sentence for the person at the terminal. */
  print: (sentence: string) => void
}

/**
 * Brings the whole site up on this machine: database, web and worker processes, kept running until `stop`.
 * The data directory must have been prepared.
 */
export function supervise(config: Config, { env, log, print }: Surroundings): Site {
  const running: { lock?: DataDirLock; database?: EmbeddedDatabase; webs: Child[]; workers: Child[] } = {
    webs: [],
    workers: [],
  }
  const counts = countProcesses(config)
  const state = { isStopping: false }
  let childEnv: NodeJS.ProcessEnv = {}
  const ready = bringUp()

  return {
    ready,
    async stop() {
      state.isStopping = true
      // The start may fail or be interrupted by this stop; `ready` has reported why.
      await ready.catch(() => {})
      // In this order: a request may wait for a segment that the worker makes, and both need the database.
      await stopAll(running.webs, config.stopGraceSeconds * 1000 + requestsDeadlineMs)
      await stopAll(running.workers, jobsDeadlineMs)
      await running.database?.stop()
      running.lock?.release()
    },
    restart() {
      for (const child of [...running.webs, ...running.workers]) child.restart()
    },
    kill() {
      for (const child of [...running.webs, ...running.workers]) child.kill()
    },
  }

  async function bringUp(): Promise<string> {
    running.lock = await takeDataDir(config.dataDir)
    const port = await findPort(config.host, config.port, running.lock.wasStale ? predecessorTimeoutMs : 0)
    // Checked here already: the children would only end again and again.
    const storage = await createStorage(config)
    const url = config.databaseUrl ?? (await startOwnDatabase())
    if (config.databaseUrl) await checkDatabase(config.databaseUrl, 5000)
    const { applied, backup } = await upgradeDatabase(config, url)
    if (applied.length > 0) log.info({ applied, backup }, 'database migrated')
    await running.database?.grantAppRole()
    await withDb(url, (db) => bindStorage({ db, storage }))
    await storage.close()

    childEnv = { ...env, PORT: String(port), DATA_DIR: config.dataDir }
    startChildren({ ...childEnv, ...databaseEnv(running.database?.appUrl ?? url) })
    await untilReady(config.host, port)
    return addressOf(config.host, port)
  }

  /** Each process has metrics of its own, so each gets a port of its own for them where one is set. */
  function startChildren(processEnv: NodeJS.ProcessEnv): void {
    const { metricsPort } = config
    const metricsArgs = (index: number) =>
      metricsPort === undefined ? [] : [`--metrics-port=${metricsPort + index}`]
    for (let index = 0; index < counts.webs; index += 1) {
      const args = counts.webs === 1 ? [] : ['--share-port', ...metricsArgs(counts.workers + index)]
      running.webs.push(keepRunning({ module: join(source, 'bin/web.ts'), args, env: processEnv }, log))
    }
    for (let index = 0; index < counts.workers; index += 1)
      running.workers.push(
        keepRunning(
          { module: join(source, 'bin/worker.ts'), args: metricsArgs(index), env: processEnv },
          log,
        ),
      )
  }

  async function startOwnDatabase(): Promise<string> {
    if (!existsSync(join(config.dataDir, 'postgres')))
      print('Creating the database (only at the first start) ...')
    else await upgradePostgresql(config.dataDir, log, print)
    running.database = await startEmbedded({
      dataDir: config.dataDir,
      log,
      settings: {
        max_connections: String(connectionsFor(counts, config.databasePoolMax)),
        shared_buffers: sharedBuffersFor(),
      },
      onMoved: followDatabase,
    })
    return running.database.url
  }

  /** What they began with the database where it was cannot be ended any more. */
  function followDatabase(url: string): void {
    for (const child of [...running.webs, ...running.workers])
      child.crash({ ...childEnv, ...databaseEnv(url) })
  }

  async function untilReady(host: string, port: number): Promise<void> {
    const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
    const url = `${addressOf(local, port)}/readyz`
    const isHopeless = () => running.webs.some(({ crashes }) => crashes >= crashesBeforeGivingUp)
    while (!isHopeless() && !state.isStopping) {
      if (await isOk(url)) return
      await delay(20)
    }
    if (state.isStopping) throw new StartupError('It was stopped before it was ready.')
    throw new StartupError('The web process ends again and again before it answers: the lines above say why.')
  }
}

/** Stops children side by side. */
async function stopAll(children: Child[], deadlineMs: number): Promise<void> {
  await Promise.all(children.map((child) => child.stop(deadlineMs)))
}

async function isOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5000) })).ok
  } catch {
    // Not reachable yet.
    return false
  }
}

/** A predecessor that is just stopping gets a moment; one that runs keeps the directory. */
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

/** The database of the children. A `DATABASE_URL_FILE` of ours has been read already. */
function databaseEnv(url: string): NodeJS.ProcessEnv {
  return { DATABASE_URL: url, DATABASE_URL_FILE: '' }
}
