import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { StartupError } from '../../startup-error.ts'
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
  keptPort,
  launch,
  logFile,
  shutDown,
  untilEnded,
  urlOf,
} from './server.ts'
import type { Cluster, RunningServer } from './server.ts'

export const database = 'kinora'
const startDeadlineMs = 60_000

/** Commits stay durable; the rest fits a laptop that has other things to do. */
export const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export interface EmbeddedOptions {
  /** The embedded server keeps everything in `<dataDir>/postgres`. */
  dataDir: string
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
  /** Settings of PostgreSQL that differ from ours. */
  settings?: Record<string, string>
  /** Receives `appUrl` when the server had to come back under another address, because its port was taken. */
  onMoved?: (url: string) => void
}

export interface EmbeddedDatabase {
  /** Where it is now, for the owner of the schema, a superuser. */
  readonly url: string
  /** The same for web and worker, whose role may change rows only. Valid after `grantAppRole`. */
  readonly appUrl: string
  /** Gives the role of web and worker its rights, after the migrations. */
  grantAppRole(): Promise<void>
  /** Ends all sessions, writes everything down and stops the server. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that came with the dependencies, or adopts the one that still runs on this directory since
 * its last owner was killed. It is started again when it dies, and it stops by itself when this process dies.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings: own = {},
  onMoved,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  hydrateLibraries()
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  await takeOwnership(launcher)
  finishReplacing(launcher.home)
  const major = dataMajor(launcher.home)
  if (major === undefined) await createCluster(launcher)
  else assertCurrent(major)
  const password = readFileSync(join(launcher.home, 'password'), 'utf8')
  const cluster = { launcher, password, settings: { ...defaultSettings, ...own } }

  let server = await bringUp(cluster)
  log.info({ port: server.port, postgresqlPid: server.pid, adopted: server.adopted }, 'database ready')
  const appPassword = appPasswordOf(password)
  const url = () => urlOf(server.port, password, database)
  const appUrl = () => urlOf(server.port, appPassword, database, APP_ROLE)
  let isStopping = false
  const watch = async (): Promise<void> => {
    await untilEnded(cluster, server)
    if (isStopping) return
    log.warn({ log: logFile(launcher) }, 'database died, starting it again')
    server.release()
    const { port } = server
    server = await bringUpAgain(port)
    // who told us to stop meanwhile has waited for the end of the one before
    if (isStopping) return shutDown(server)
    log.info({ port: server.port, postgresqlPid: server.pid }, 'database ready')
    if (server.port !== port) onMoved?.(appUrl())
    return watch()
  }
  /** Whatever stands in the way, a full disk for one, may go: it is tried until it does, or until we are to stop. */
  const bringUpAgain = async (port: number): Promise<RunningServer> => {
    for (;;) {
      try {
        return await bringUp(cluster, port)
      } catch (error) {
        if (isStopping) return server
        log.warn({ err: error }, 'database could not be started again yet')
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
      await shutDown(server)
      await watching
    },
  }
}

/** Major version of the embedded PostgreSQL. */
export const embeddedMajor = () => Number.parseInt(embeddedVersion(), 10)

function assertCurrent(major: number): void {
  const current = embeddedMajor()
  if (major === current) return
  const found = `The embedded database has data of PostgreSQL ${major}, and this version brings PostgreSQL ${current}`
  throw new StartupError(
    major < current
      ? `${found}. \`npm start\` converts the data: run it first.`
      : `${found}. Start the newer version of Kinora that wrote the data.`,
  )
}

/** Derived from the owner's password, so that only one is stored. */
function appPasswordOf(password: string): string {
  return createHmac('sha256', password).update(APP_ROLE).digest('base64url')
}

/** The address of the embedded database that another process keeps running on this directory, if one does. */
export async function findEmbedded(dataDir: string): Promise<string | undefined> {
  // looking must leave no trace where there is no site
  if (!existsSync(join(dataDir, 'postgres'))) return undefined
  const launcher = prepareLauncher(join(dataDir, 'postgres'))
  const passwordFile = join(launcher.home, 'password')
  if (!existsSync(passwordFile)) return undefined
  const url = urlOf(keptPort(launcher), readFileSync(passwordFile, 'utf8'), database)
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

/** What `unshare` ends with, as a shell does, where it cannot run a program. */
const cannotRun = [126, 127]

/** Makes an empty cluster in `home`. */
export async function createCluster(
  { home, command, own }: Launcher,
  password = randomBytes(24).toString('base64url'),
): Promise<void> {
  const passwordFile = join(home, 'password')
  const fresh = join(home, 'data.new')
  rmSync(fresh, { recursive: true, force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  own(passwordFile)
  const args = ['-D', fresh, '-U', 'kinora', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8']
  // The builtin locale is the same everywhere; the system's may be missing, and changes its sort order with libc.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const { code, output } = await runToEnd(command('initdb', [...args, ...locale])).catch((cause: unknown) => {
    throw doesNotRun(cause)
  })
  if (code !== null && cannotRun.includes(code)) throw doesNotRun(output)
  if (code !== 0) throw new StartupError(explain('The database could not be created', output))
  renameSync(fresh, join(home, 'data'))
}

/** The programs of the package are made for glibc: elsewhere they are there, and cannot be run. */
function doesNotRun(cause: unknown): StartupError {
  return new StartupError(
    `The embedded PostgreSQL does not run on this system, which may have another C library than glibc: ${useAnotherServer}.`,
    { cause },
  )
}

/** Until the deadline, because a killed predecessor takes its time to leave the lock and the shared memory. */
export async function bringUp(
  cluster: Cluster,
  preferredPort = keptPort(cluster.launcher),
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
    return `${what}: the disk that holds DATA_DIR is full; free some space and start again.`
  const lines = output.trim().split('\n')
  const first = lines.findIndex((line) => /\b(FATAL|PANIC|error):/i.test(line))
  if (first < 0) return `${what}: ${lines.at(-1) || 'it said nothing'}`
  // PostgreSQL gives the cause and the remedy in lines of their own.
  const further = lines.slice(first + 1, first + 4).filter((line) => /\b(DETAIL|HINT): /i.test(line))
  const texts = further.map((line) => line.replace(/^.*?\b(DETAIL|HINT): +/i, ''))
  return [`${what}: ${lines[first]}`, ...texts].join(' ')
}
