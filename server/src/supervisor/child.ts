import { fork, type ChildProcess } from 'node:child_process'
import type { Log } from '../platform/log.ts'

const firstDelayMs = 250
const longestDelayMs = 30_000
/** A child that lived this long was healthy: its next crash starts counting anew. */
const healthyAfterMs = 30_000

export interface Child {
  /** How often it ended unasked since it was last healthy. */
  readonly crashes: number
  /** Asks it to stop, waits, and kills it when it has not ended after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>
  /** Kills it on the spot. */
  kill(): void
}

export interface Program {
  module: string
  role: string
  env: NodeJS.ProcessEnv
  isWatching: boolean
}

/** Keeps one role of the program running in its own process: a crash is logged, and after a pause it is started again. */
export function keepRunning({ module, role, env, isWatching }: Program, log: Log): Child {
  let process: ChildProcess
  let ended: Promise<void>
  let timer: NodeJS.Timeout | undefined
  let crashes = 0
  let isStopping = false

  const start = () => {
    const startedAt = Date.now()
    // Detached: Ctrl-C in the terminal reaches the supervisor alone, which stops its children in order.
    const execArgv = isWatching ? ['--watch', '--watch-preserve-output'] : []
    process = fork(module, [role], {
      execArgv,
      env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    ended = new Promise((resolve) => {
      process.once('exit', (code, signal) => {
        resolve()
        if (isStopping) return
        if (Date.now() - startedAt > healthyAfterMs) crashes = 0
        const delayMs = Math.min(firstDelayMs * 2 ** crashes, longestDelayMs)
        crashes += 1
        log.error({ child: role, code, signal, restartInMs: delayMs }, 'child crashed, starting it again')
        timer = setTimeout(start, delayMs)
      })
    })
  }
  start()

  return {
    get crashes() {
      return crashes
    },
    async stop(deadlineMs) {
      isStopping = true
      clearTimeout(timer)
      process.kill('SIGTERM')
      const killer = setTimeout(() => process.kill('SIGKILL'), deadlineMs)
      await ended
      clearTimeout(killer)
    },
    kill() {
      isStopping = true
      clearTimeout(timer)
      process.kill('SIGKILL')
    },
  }
}
