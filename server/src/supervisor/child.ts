import { fork, type ChildProcess } from 'node:child_process'
import { parse } from 'node:path'
import type { Log } from '@kinora/platform/log.ts'
import { watchdogTimes } from '@kinora/platform/watchdog.ts'
import { endWhenSilent } from './end-when-silent.ts'

const firstDelayMs = 250
const longestDelayMs = 10_000
/** After running for so long, a child counts as healthy, and its restart delay is reset. */
const healthyAfterMs = 10_000
/** Limits memory fragmentation: streamed buffers are short-lived, and pictures are decoded outside the JavaScript heap. */
const frugalFlags = ['--max-semi-space-size=4']
const frugalEnv = { MALLOC_ARENA_MAX: '2' }

export interface Child {
  /** Unexpected exits since it was last healthy. */
  readonly crashes: number
  /** Sends SIGTERM, and SIGKILL if it has not ended after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>
  /** Restarts it gracefully, because its program changed. */
  restart(): void
  /** Kills its process group. */
  kill(): void
  /** Kills and restarts it, optionally with another environment. */
  crash(env?: NodeJS.ProcessEnv): void
}

export interface Program {
  /** Path of the file in `bin/`. */
  module: string
  args?: string[]
  env: NodeJS.ProcessEnv
}

/**
 * Runs a program as a child process. After a crash it is restarted with increasing delays. One that does not respond is
 * ended and restarted.
 */
export function keepRunning(
  { module, args = [], env: given }: Program,
  log: Log,
  times = watchdogTimes,
): Child {
  const { name } = parse(module)
  let env = given
  let child: ChildProcess
  let ended: Promise<void>
  let timer: NodeJS.Timeout | undefined
  let crashes = 0
  let wish: 'running' | 'restarting' | 'stopped' = 'running'

  const start = () => {
    const startedAt = Date.now()
    wish = 'running'
    // detached, so that Ctrl-C reaches only the supervisor, which stops its children in order
    child = fork(module, args, {
      env: { ...frugalEnv, ...env },
      execArgv: [...process.execArgv, ...frugalFlags],
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const isStarted = child.pid !== undefined
    if (isStarted) endWhenSilent(child, { name, kill, log, times })
    ended = new Promise((resolve) => {
      const end = (how: object) => {
        resolve()
        if (wish === 'stopped') return
        if (wish === 'restarting') return start()
        if (Date.now() - startedAt > healthyAfterMs) crashes = 0
        const delayMs = Math.min(firstDelayMs * 2 ** crashes, longestDelayMs)
        crashes += 1
        log.error({ child: name, ...how, restartInMs: delayMs }, 'child crashed, restarting')
        timer = setTimeout(start, delayMs)
      }
      if (isStarted) child.once('exit', (code, signal) => end({ code, signal }))
      // of a process that the system could not start, as where it has too many
      child.on('error', (err) => (isStarted ? log.warn({ child: name, err }, 'child failed') : end({ err })))
    })
  }
  const kill = () => {
    try {
      // the process group, so that its own children end, too
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // it has already ended
    }
  }
  start()

  return {
    get crashes() {
      return crashes
    },
    async stop(deadlineMs) {
      wish = 'stopped'
      clearTimeout(timer)
      child.kill('SIGTERM')
      const killer = setTimeout(kill, deadlineMs)
      await ended
      clearTimeout(killer)
    },
    restart() {
      if (wish !== 'running') return
      wish = 'restarting'
      clearTimeout(timer)
      crashes = 0
      if (child.exitCode !== null || child.signalCode !== null) start()
      else child.kill('SIGTERM')
    },
    crash(other = env) {
      env = other
      kill()
    },
    kill() {
      wish = 'stopped'
      clearTimeout(timer)
      kill()
    },
  }
}
