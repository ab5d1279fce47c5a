import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openOwnLog, readOwnFile, writeOwnFile } from '../../files/own-file.ts'
import { StartupError } from '../../startup-error.ts'
import { type WatchdogTimes, watchdogTimes } from '../../watchdog.ts'
import { changeOwner, type Launcher, passThrough } from './binaries.ts'
import { type Cluster, readLock } from './cluster.ts'
import { endWhenStuck, probe } from './end-when-stuck.ts'
import { isServer, killServer, signal } from './server-processes.ts'

/** A guard needs milliseconds, but more on a busy machine. */
const guardDeadlineMs = 15_000
/** A server that accepts connections on this machine responds within this time, unless the machine is very busy. */
const adoptProbeMs = 5000
const logMaxBytes = 10 * 1024 * 1024

export interface RunningServer {
  pid: number
  port: number
  adopted: boolean
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>
  /** Ends the guard, which would stop the server when this process dies. */
  release(): void
}

/**
 * Returns the server that still runs on this data directory; undefined if there is none. Waits for one that recovers or
 * stops.
 */
export async function adopt(cluster: Cluster): Promise<RunningServer | undefined> {
  const { launcher, password } = cluster
  const lock = readLock(launcher)
  if (lock === undefined || !isServer(launcher, lock.pid)) return undefined
  const ask = () => probe(lock.port, password, adoptProbeMs)
  await ask()
  // if its owner was killed just now, the guard is about to stop it
  await waitForGuard(launcher)
  const server = { ...lock, ended: waitUntilGone(launcher, lock.pid) }
  endWhenStuck(cluster, server)
  const state = { hasEnded: false }
  void server.ended.then(() => (state.hasEnded = true))
  for (;;) {
    const { isUp, answers } = await ask()
    if (state.hasEnded || (answers && !isUp)) return undefined
    if (isUp) break
    await delay(100)
  }
  const guard = startGuard(cluster, lock.pid)
  return { ...server, adopted: true, release: () => guard.kill('SIGKILL') }
}

/**
 * Gives the data to the user that PostgreSQL runs as, and takes the directory around it from that user: nobody else can put
 * links there, which this process would follow as root. Files of earlier versions belong to others. A server that still runs
 * on data of root is stopped first.
 */
export async function takeOwnership(launcher: Launcher): Promise<void> {
  const { home, owner } = launcher
  if (!owner) return
  passThrough(home, owner)
  const data = join(home, 'data')
  if (!existsSync(data) || statSync(data).uid === owner.uid) return
  await stopLeftover(launcher)
  changeOwner(data, owner)
}

/** Stops the server that a killed owner left running, if there is one. */
export async function stopLeftover(launcher: Launcher): Promise<void> {
  const lock = readLock(launcher)
  if (!lock || !isServer(launcher, lock.pid)) return
  await end({ launcher }, { pid: lock.pid, ended: waitUntilGone(launcher, lock.pid) })
}

/** Starts the server. Returns it, or its log output if it ended. */
export async function launch(cluster: Cluster, preferredPort: number): Promise<RunningServer | string> {
  const { launcher, settings: all } = cluster
  const port = await freePort(preferredPort)
  const args = ['-D', join(launcher.home, 'data'), '-p', String(port)]
  for (const [key, value] of Object.entries(all)) args.push('-c', `${key}=${value}`)
  const { file, args: line, options } = launcher.command('postgres', args)
  const log = openOwnLog(logFile(launcher), logMaxBytes)
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
  if (child.pid !== undefined) endWhenStuck(cluster, { pid: child.pid, port, ended })
  while (!state.hasEnded && !isReady(launcher, child.pid)) await delay(10)
  if (state.hasEnded || child.pid === undefined)
    return readFileSync(logFile(launcher)).subarray(log.start).toString()
  writeOwnFile(portFile(launcher), String(port))
  const guard = startGuard(cluster, child.pid)
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

/** Shuts a server down. */
export async function shutDown(
  cluster: Pick<Cluster, 'launcher' | 'times'>,
  server: RunningServer,
): Promise<void> {
  await end(cluster, server)
  server.release()
}

/** Ends a server with a fast shutdown, then an immediate one, then by killing its processes. */
async function end(
  { launcher, times = watchdogTimes }: Pick<Cluster, 'launcher' | 'times'>,
  { pid, ended }: Pick<RunningServer, 'pid' | 'ended'>,
): Promise<void> {
  signal(pid, 'SIGINT')
  const timers = [
    setTimeout(() => signal(pid, 'SIGQUIT'), times.shutdownMs),
    setTimeout(() => killServer(launcher, pid), times.shutdownMs + times.graceMs),
  ]
  await ended
  timers.forEach((timer) => clearTimeout(timer))
}

/**
 * Shell script that ends PostgreSQL like `end` when its standard input closes. The guard file exists until the first signal.
 * Without this process nobody else can kill a server that does not respond. Its processes are found by their working
 * directory before the first is killed: then it is certain that they are those of this server.
 */
const guardScript = ({ shutdownMs, graceMs }: WatchdogTimes) => `
  read -r _
  kill -INT "$0" 2>/dev/null
  rm -f "$1"
  wait_for_end() {
    left=$1
    while [ $left -gt 0 ]; do
      kill -0 "$pid" 2>/dev/null || exit 0
      sleep 0.1
      left=$((left - 1))
    done
  }
  pid=$0
  wait_for_end ${shutdownMs / 100}
  kill -QUIT "$pid" 2>/dev/null
  wait_for_end ${graceMs / 100}
  others=
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" = postgres ] || continue
    [ "$process/cwd" -ef "/proc/$pid/cwd" ] && others="$others \${process#/proc/}"
  done
  kill -KILL "$pid" $others 2>/dev/null`

/** Starts a shell that stops PostgreSQL when this process ends, even by SIGKILL: its pipe to this process closes. */
export function startGuard(
  { launcher, log, times = watchdogTimes }: Pick<Cluster, 'launcher' | 'log' | 'times'>,
  pid: number,
  shell = '/bin/sh',
): ChildProcess {
  const guard = spawn(shell, ['-c', guardScript(times), String(pid), guardFile(launcher)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // as at the limit of processes. A server that is left running is stopped by the next start.
  guard.on('error', (err) => log?.warn({ err }, 'guard of the embedded database not started'))
  writeOwnFile(guardFile(launcher), String(guard.pid ?? ''))
  guard.unref()
  return guard
}

/** Waits until the guard of a dead owner has sent its signal. */
async function waitForGuard(launcher: Launcher): Promise<void> {
  const deadline = Date.now() + guardDeadlineMs
  while (Date.now() < deadline) {
    const pid = Number(readOwnFile(guardFile(launcher)))
    if (!(pid > 0) || !signal(pid, 0)) return
    await delay(10)
  }
}

function guardFile({ home }: Launcher): string {
  return join(home, 'guard')
}

export function urlOf(port: number, password: string, name: string, role = 'kinora'): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${name}`
}

export function lastPort(launcher: Launcher): number {
  return Number(readOwnFile(portFile(launcher)) ?? 0)
}

const portFile = ({ home }: Launcher) => join(home, 'port')

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

function isReady(launcher: Launcher, pid: number | undefined): boolean {
  const lock = readLock(launcher)
  return lock !== undefined && lock.pid === pid && lock.state === 'ready'
}

/** Waits for the end of the process or of its lock: the process may remain as a zombie for seconds. */
async function waitUntilGone(launcher: Launcher, pid: number): Promise<void> {
  while (signal(pid, 0) && readLock(launcher)?.pid === pid) await delay(50)
}

export function logFile({ home }: Launcher): string {
  return join(home, 'postgres.log')
}

/** PostgreSQL must not inherit locale, port or options from the environment. */
export const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }
