import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { readOwnFile, writeOwnFile } from '../../files/own-file.ts'
import { StartupError } from '../../startup-error.ts'
import type { WatchdogTimes } from '../../watchdog.ts'
import { APP_ROLE, prepareAppRole } from '../app-role.ts'
import {
  embeddedVersion,
  hydrateLibraries,
  prepareLauncher,
  useAnotherServer,
  type Launcher,
} from './binaries.ts'
import { dataMajor, finishReplacing } from './data.ts'
import {
  adopt,
  takeOwnership,
  cleanEnvironment,
  lastPort,
  launch,
  logFile,
  shutDown,
  untilEnded,
  urlOf,
} from './server.ts'
import type { Cluster, DatabaseLog } from './cluster.ts'
import type { RunningServer } from './server.ts'
import { killServer } from './server-processes.ts'

export const database = 'kinora'
const startDeadlineMs = 60_000

/** Durable commits, and modest memory, because the server shares the machine with Kinora. */
export const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  // Each open event stream holds an advisory lock: 2000 of four web processes would fill the default table of 6400.
  max_locks_per_transaction: '128',
  shared_buffers: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export interface EmbeddedOptions {
  /** The server's files are in `<dataDir>/postgres`. */
  dataDir: string
  log: DatabaseLog
  /** Overrides of `defaultSettings`. */
  settings?: Record<string, string>
  /** Called with `appUrl` when a restart had to use another port. */
  onMoved?: (url: string) => void
  times?: WatchdogTimes
}

export interface EmbeddedDatabase {
  /** Current URL for the owner of the schema, a superuser. */
  readonly url: string
  /** Current URL for web and worker, whose role may only change rows. Valid after `grantAppRole`. */
  readonly appUrl: string
  /** Creates the role of web and worker. Call it after the migrations. */
  grantAppRole(): Promise<void>
  /** Shuts the server down in fast mode: ends all sessions and writes a checkpoint. */
  stop(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL, or adopts the one that a killed owner left running. The server is restarted when it
 * dies or does not respond, and stops when this process dies.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings: own = {},
  onMoved,
  times,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  hydrateLibraries()
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  await takeOwnership(launcher)
  finishReplacing(launcher.home)
  const major = dataMajor(launcher.home)
  if (major === undefined) await createCluster(launcher)
  else assertCurrent(major)
  const password = readPassword(launcher)
  const cluster: Cluster = {
    launcher,
    password,
    settings: { ...defaultSettings, ...own },
    log,
    ...(times ? { times } : {}),
  }

  let server = await startServer(cluster)
  log.info({ port: server.port, postgresqlPid: server.pid, adopted: server.adopted }, 'database ready')
  const appPassword = appPasswordOf(password)
  const url = () => urlOf(server.port, password, database)
  const appUrl = () => urlOf(server.port, appPassword, database, APP_ROLE)
  let isStopping = false
  const watch = async (): Promise<void> => {
    await untilEnded(cluster, server)
    if (isStopping) return
    log.warn({ log: logFile(launcher) }, 'database died, restarting')
    server.release()
    const { port } = server
    server = await restart(port)
    // `stop` has shut down the previous server only
    if (isStopping) return shutDown(cluster, server)
    log.info({ port: server.port, postgresqlPid: server.pid }, 'database ready')
    if (server.port !== port) onMoved?.(appUrl())
    return watch()
  }
  /** Retries until the server runs or `stop` is called: the cause, such as a full disk, may be temporary. */
  const restart = async (port: number): Promise<RunningServer> => {
    for (;;) {
      try {
        return await startServer(cluster, port)
      } catch (error) {
        if (isStopping) return server
        log.warn({ err: error }, 'database restart failed, retrying')
        await delay(2000)
      }
    }
  }
  const watching = watch()

  return {
    get url() {
      return url()
    },
    get appUrl() {
      return appUrl()
    },
    grantAppRole: () => prepareAppRole(url(), appPassword),
    async stop() {
      isStopping = true
      await shutDown(cluster, server)
      await watching
    },
  }
}

export function readPassword({ home }: Launcher): string {
  const password = readOwnFile(join(home, 'password'))
  if (password !== undefined) return password
  throw new StartupError(`${join(home, 'password')} is missing. Restore it from a backup of DATA_DIR.`)
}

/** Major version of the embedded PostgreSQL. */
export const embeddedMajor = () => Number.parseInt(embeddedVersion(), 10)

function assertCurrent(major: number): void {
  const current = embeddedMajor()
  if (major === current) return
  const found = `The embedded database has data of PostgreSQL ${major}, and this version brings PostgreSQL ${current}`
  throw new StartupError(
    major < current
      ? `${found}. Run \`npm start\`, which converts the data.`
      : `${found}. Start the newer version of Kinora that wrote the data.`,
  )
}

/** Derived from the owner's password, so that only one is stored. */
function appPasswordOf(password: string): string {
  return createHmac('sha256', password).update(APP_ROLE).digest('base64url')
}

/** Returns the URL of the embedded database that another process runs on this directory; undefined if there is none. */
export async function findEmbedded(dataDir: string): Promise<string | undefined> {
  // must not create files where there is no site
  if (!existsSync(join(dataDir, 'postgres'))) return undefined
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  const passwordFile = join(launcher.home, 'password')
  if (!existsSync(passwordFile)) return undefined
  const url = urlOf(lastPort(launcher), readPassword(launcher), database)
  const client = new Client(url)
  try {
    await client.connect()
    await client.end()
    return url
  } catch {
    // No server listens there: one is started.
    return undefined
  }
}

/** Exit codes of `unshare` (and of shells) for a program that cannot be executed. */
const cannotRun = [126, 127]

/** Creates an empty cluster in `home`. */
export async function createCluster(
  { home, command, own }: Launcher,
  password = randomBytes(24).toString('base64url'),
): Promise<void> {
  const passwordFile = join(home, 'password')
  const fresh = join(home, 'data.new')
  rmSync(fresh, { recursive: true, force: true })
  writeOwnFile(passwordFile, password)
  mkdirSync(fresh, { mode: 0o700 })
  for (const path of [passwordFile, fresh]) own(path)
  const args = ['-D', fresh, '-U', 'kinora', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8']
  // the builtin locale is always available; sort orders of the system's locales change with libc
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const { code, output } = await runToEnd(command('initdb', [...args, ...locale])).catch((cause: unknown) => {
    throw doesNotRun(cause)
  })
  if (code !== null && cannotRun.includes(code)) throw doesNotRun(output)
  if (code !== 0) throw new StartupError(explain('The database could not be created', output))
  renameSync(fresh, join(home, 'data'))
}

/** The programs of the package need glibc. */
function doesNotRun(cause: unknown): StartupError {
  return new StartupError(
    `The embedded PostgreSQL does not run on this system, which may have another C library than glibc. Instead, ${useAnotherServer}.`,
    { cause },
  )
}

/** Adopts or starts the server. Retries until the deadline, because a killed predecessor may still have the lock. */
export async function startServer(
  cluster: Cluster,
  preferredPort = lastPort(cluster.launcher),
): Promise<RunningServer> {
  const deadline = Date.now() + startDeadlineMs
  let output = ''
  while (Date.now() < deadline) {
    const server = (await adopt(cluster)) ?? (await launch(cluster, preferredPort))
    if (typeof server !== 'string') {
      await ensureDatabase(server.port, cluster.password)
      return server
    }
    output = server
    // its lock file names a process that has ended
    if (output.includes('pre-existing shared memory block')) killServer(cluster.launcher)
    if (/No space left|Permission denied|data directory .* has wrong ownership|incompatible/i.test(output))
      break
    await delay(250)
  }
  throw new StartupError(explain('The database could not be started', output))
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new Client(urlOf(port, password, 'postgres'))
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  } finally {
    await client.end()
  }
}

function runToEnd({
  file,
  args,
  options,
}: ReturnType<Launcher['command']>): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...options,
      env: cleanEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

function explain(what: string, output: string): string {
  if (output.includes('No space left on device'))
    return `${what}: the disk of DATA_DIR is full. Free disk space and start again.`
  const lines = output.trim().split('\n')
  const first = lines.findIndex((line) => /\b(FATAL|PANIC|error):/i.test(line))
  if (first < 0) return `${what}: ${lines.at(-1) || 'there was no output'}`
  // PostgreSQL logs the cause and the remedy as separate lines
  const further = lines.slice(first + 1, first + 4).filter((line) => /\b(DETAIL|HINT): /i.test(line))
  const texts = further.map((line) => line.replace(/^.*?\b(DETAIL|HINT): +/i, ''))
  return [`${what}: ${lines[first]}`, ...texts].join(' ')
}
