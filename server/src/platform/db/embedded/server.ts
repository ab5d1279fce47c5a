import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf } from '../../errors.ts'
import { StartupError } from '../../startup-error.ts'
import { changeOwner, type Launcher } from './binaries.ts'

const stopDeadlineMs = 15_000
/** A guard needs milliseconds, but more on a busy machine. */
const guardDeadlineMs = 15_000
const logMaxBytes = 10 * 1024 * 1024

export interface Cluster {
  launcher: Launcher
  password: string
  settings: Record<string, string>
}

export interface RunningServer {
  pid: number
  port: number
  adopted: boolean
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>
  /** Ends the guard, which would stop the server when this process dies. */
  release(): void
}

/** Returns the server that still runs on this data directory; undefined if there is none. */
export async function adopt({ launcher, password }: Cluster): Promise<RunningServer | undefined> {
  const lock = readLock(launcher)
  const runs = async () =>
    lock !== undefined && isAlive(lock.pid) && (await canConnect(lock.port, password)) ? lock : undefined
  if (!(await runs())) return undefined
  // if its owner was killed just now, the guard is about to stop it
  await waitForGuard(launcher)
  const running = await runs()
  if (!running) return undefined
  const guard = startGuard(launcher, running.pid)
  return {
    ...running,
    adopted: true,
    ended: waitUntilGone(launcher, running.pid),
    release: () => guard.kill('SIGKILL'),
  }
}

/**
 * Changes the owner of files that an earlier version created as root. A server that still runs on them is stopped first.
 */
export async function takeOwnership(launcher: Launcher): Promise<void> {
  const { home, owner } = launcher
  if (!owner) return
  const data = join(home, 'data')
  const isOurs = (path: string) => !existsSync(path) || statSync(path).uid === owner.uid
  if (isOurs(home) && isOurs(data)) return
  await stopLeftover(launcher)
  changeOwner(home, owner)
}

/** Stops the server that a killed owner left running, if there is one. */
export async function stopLeftover(launcher: Launcher): Promise<void> {
  const lock = readLock(launcher)
  const password = readIfExists(join(launcher.home, 'password')) ?? ''
  if (!lock || !isAlive(lock.pid) || !(await canConnect(lock.port, password))) return
  signal(lock.pid, 'SIGINT')
  await waitUntilGone(launcher, lock.pid)
}

/** Starts the server. Returns it, or its log output if it ended. */
export async function launch(
  { launcher, settings: all }: Cluster,
  preferredPort: number,
): Promise<RunningServer | string> {
  const port = await freePort(preferredPort)
  const args = ['-D', join(launcher.home, 'data'), '-p', String(port)]
  for (const [key, value] of Object.entries(all)) args.push('-c', `${key}=${value}`)
  const { file, args: line, options } = launcher.command('postgres', args)
  const log = openLog(launcher)
  // detached, so that Ctrl-C in the terminal does not stop the database before its clients
  const child = spawn(file, line, {
    ...options,
    detached: true,
    env: cleanEnvironment,
    stdio: ['ignore', log.fd, log.fd],
  })
  closeSync(log.fd)
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const state = { hasEnded: false }
  void ended.then(() => (state.hasEnded = true))
  while (!state.hasEnded && !isReady(launcher, child.pid)) await delay(10)
  if (state.hasEnded || child.pid === undefined) return readFileSync(log.path, 'utf8').slice(log.start)
  writeFileSync(join(launcher.home, 'port'), String(port))
  const guard = startGuard(launcher, child.pid)
  return { pid: child.pid, port, adopted: false, ended, release: () => guard.kill('SIGKILL') }
}

/**
 * Resolves when the server has ended. A smart shutdown requested by another program would wait for all clients and
 * accept no new ones; it is turned into a fast shutdown, so that the server can be restarted.
 */
export async function untilEnded({ launcher }: Cluster, { pid, ended }: RunningServer): Promise<void> {
  const timer = setInterval(() => {
    const lock = readLock(launcher)
    if (lock?.pid === pid && lock.state === 'stopping') signal(pid, 'SIGINT')
  }, 500)
  await ended
  clearInterval(timer)
}

export async function shutDown({ pid, ended, release }: RunningServer): Promise<void> {
  signal(pid, 'SIGINT')
  const timer = setTimeout(() => signal(pid, 'SIGQUIT'), stopDeadlineMs)
  await ended
  clearTimeout(timer)
  release()
}

/**
 * Starts a shell that stops PostgreSQL when this process ends, even by SIGKILL: its pipe to this process closes. The
 * guard file holds the shell's process id until it has sent the signal.
 */
function startGuard(launcher: Launcher, pid: number): ChildProcess {
  const script = 'read -r _; kill -INT "$0" 2>/dev/null; rm -f "$1"'
  const guard = spawn('/bin/sh', ['-c', script, String(pid), guardFile(launcher)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  writeFileSync(guardFile(launcher), String(guard.pid ?? ''))
  guard.unref()
  return guard
}

/** Waits until the guard of a dead owner has sent its signal. */
async function waitForGuard(launcher: Launcher): Promise<void> {
  const deadline = Date.now() + guardDeadlineMs
  while (Date.now() < deadline) {
    const pid = Number(readIfExists(guardFile(launcher)))
    if (!(pid > 0) || !isAlive(pid)) return
    await delay(10)
  }
}

function guardFile({ home }: Launcher): string {
  return join(home, 'guard')
}

async function canConnect(port: number, password: string): Promise<boolean> {
  const client = new Client({
    connectionString: urlOf(port, password, 'postgres'),
    connectionTimeoutMillis: 2000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    // Not accepting connections yet, or not any more.
    return false
  }
}

export function urlOf(port: number, password: string, name: string, role = 'kinora'): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${name}`
}

export function lastPort({ home }: Launcher): number {
  const file = join(home, 'port')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

/** Returns the preferred port if it is free, else any free port. */
async function freePort(preferred: number): Promise<number> {
  for (const wanted of [preferred, 0]) {
    const server = createServer()
    const port = await new Promise<number | undefined>((resolve) => {
      server.once('error', () => resolve(undefined))
      server.listen(wanted, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
      })
    })
    if (port !== undefined) return port
  }
  throw new StartupError(
    'There is no free port for the database on 127.0.0.1. Stop programs that listen on many ports.',
  )
}

/** Reads PostgreSQL's lock file: process id on line 1, port on line 4, state on line 8. */
function readLock({ home }: Launcher): { pid: number; port: number; state: string } | undefined {
  // a server that ends may delete it at any moment
  const text = readIfExists(join(home, 'data/postmaster.pid'))
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), state: lines[7]?.trim() ?? '' }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isReady(launcher: Launcher, pid: number | undefined): boolean {
  const lock = readLock(launcher)
  return lock !== undefined && lock.pid === pid && lock.state === 'ready'
}

/** Waits for the end of the process or of its lock: the process may remain as a zombie for seconds. */
async function waitUntilGone(launcher: Launcher, pid: number): Promise<void> {
  while (isAlive(pid) && readLock(launcher)?.pid === pid) await delay(50)
}

function isAlive(pid: number): boolean {
  return signal(pid, 0)
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function logFile({ home }: Launcher): string {
  return join(home, 'postgres.log')
}

function openLog(launcher: Launcher): { fd: number; path: string; start: number } {
  const path = logFile(launcher)
  const fd = openSync(path, 'a', 0o600)
  launcher.own(path)
  if (statSync(path).size > logMaxBytes) truncateSync(path)
  return { fd, path, start: statSync(path).size }
}

/** PostgreSQL must not inherit locale, port or options from the environment. */
export const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }
