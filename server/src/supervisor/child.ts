import { fork, type ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import type { Log } from '../platform/log.ts'

const firstDelayMs = 250
const longestDelayMs = 10_000
/** A child that lived this long was healthy: its next crash starts counting anew. */
const healthyAfterMs = 10_000
/** Bytes that stream through die young and pictures are drawn outside the heap: small arenas keep both from piling up. */
const frugalFlags = ['--max-semi-space-size=4']
const frugalEnv = { MALLOC_ARENA_MAX: '2' }

export interface Child {
  /** How often it ended unasked since it was last healthy. */
  readonly crashes: number
  /** Asks it to stop, waits, and kills it when it has not ended after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>
  /** Stops it in order and starts it anew at once, because its program changed. */
  restart(): void
  /** Kills it on the spot, with what it runs. */
  kill(): void
  /** The same, as if it had crashed: it is started again, with another environment if one is given. */
  crash(env?: NodeJS.ProcessEnv): void
}

export interface Program {
  /** Path of the file in `bin/`. */
  module: string
  args?: string[]
  env: NodeJS.ProcessEnv
}

/** Keeps a program running in a process of its own: a crash is logged, and after a pause it is started again. */
export function keepRunning({ module, args = [], env: given }: Program, log: Log): Child {
  let env = given
  let child: ChildProcess
  let ended: Promise<void>
  let timer: NodeJS.Timeout | undefined
  let crashes = 0
  let wish: 'running' | 'restarting' | 'stopped' = 'running'

  const start = () => {
    const startedAt = Date.now()
    wish = 'running'
    // Detached: Ctrl-C in the terminal reaches the supervisor alone, which stops its children in order.
    child = fork(module, args, {
      env: { ...frugalEnv, ...env },
      execArgv: [...process.execArgv, ...frugalFlags],
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve()
        if (wish === 'stopped') return
        if (wish === 'restarting') return start()
        if (Date.now() - startedAt > healthyAfterMs) crashes = 0
        const delayMs = Math.min(firstDelayMs * 2 ** crashes, longestDelayMs)
        crashes += 1
        log.error(
          { child: basename(module, '.ts'), code, signal, restartInMs: delayMs },
          'child crashed, starting it again',
        )
        timer = setTimeout(start, delayMs)
      })
    })
  }
  const kill = () => {
    try {
      // The group: what it runs must not outlive it.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
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
