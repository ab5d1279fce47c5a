import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { endingWithUs, sandboxEnv, sandboxTools, withoutNetwork } from './sandbox.ts'

/** Unit of CPU time in Linux's procfs, on every architecture. */
const TICKS_PER_SECOND = 100
/** Interval at which the CPU time of a busy process is compared with its limit. */
const WATCH_MS = 200

interface PreforkedOptions {
  /** A module that responds to each message of its parent with one message. */
  script: string
  /** Follows the script's path in the process list. */
  role: string
  heapMegabytes: number
  /** Private memory, native libraries included. Needs `prlimit`. */
  memoryBytes?: number
  /** From 0 (the server's own) to 19. */
  niceness?: number | undefined
  /** If false, the process is in a network namespace of its own, where the system allows it. */
  hasNetwork?: boolean
}

export interface WorkLimits {
  timeoutMs: number
  /** CPU time, if the system reports it: waiting on a busy machine does not count. */
  cpuSeconds: number
  signal?: AbortSignal | undefined
}

/** A request exceeded its limit of CPU time. */
class CpuLimitExceeded extends Error {
  constructor(role: string) {
    super(`the ${role} exceeded its processor time`)
    this.name = 'CpuLimitExceeded'
  }
}

/**
 * A Node process that handles one request after the other, so that parsing hostile files can be limited and killed. It
 * dies with this process, inherits no environment but the compile cache, and keeps this process alive only while busy.
 */
export class PreforkedProcess<Request, ProcessResponse> {
  readonly #process: ChildProcess
  readonly #role: string
  #settle: ((outcome: { response: ProcessResponse } | { reason: unknown }) => void) | undefined
  #onEnd: (() => void) | undefined
  #isOver = false

  constructor(options: PreforkedOptions) {
    const { script, role, heapMegabytes, memoryBytes, niceness = 0, hasNetwork = true } = options
    this.#role = role
    const cache = getCompileCacheDir()
    const node = [
      process.execPath,
      `--max-old-space-size=${heapMegabytes}`,
      script,
      role,
      String(process.pid),
    ]
    const canLimit = memoryBytes !== undefined && hasPrlimit()
    const limit = canLimit ? ['prlimit', `--data=${memoryBytes}`, '--core=0'] : []
    const nice = niceness > 0 ? ['nice', '-n', String(niceness)] : []
    // The kernel forgets that the process ends with its parent when it enters a user namespace.
    const apart = hasNetwork ? [] : withoutNetwork()
    const [program = '', ...args] = [...apart, ...endingWithUs([...nice, ...limit, ...node])]
    this.#process = spawn(program, args, {
      env: { ...sandboxEnv, ...(cache ? { NODE_COMPILE_CACHE: path.dirname(cache) } : {}) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    // the child runs our own module, whose responses have this type
    this.#process.on('message', (response) => this.#settle?.({ response: response as ProcessResponse }))
    this.#process.on('error', (reason) => this.#close(reason))
    this.#process.on('exit', () => this.#close(new Error(`the ${role} ended`)))
  }

  /** Rejects, and kills the process, when a limit is exceeded or the signal is aborted; rejects when the process ends. */
  async request(request: Request, { timeoutMs, cpuSeconds, signal }: WorkLimits): Promise<ProcessResponse> {
    const over = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    over.throwIfAborted()
    const end = () => this.end(over.reason)
    over.addEventListener('abort', end, { once: true })
    const maxCpuSeconds = this.#cpuSeconds() + cpuSeconds
    const watch = setInterval(() => {
      if (this.#cpuSeconds() > maxCpuSeconds) this.end(new CpuLimitExceeded(this.#role))
    }, WATCH_MS)
    try {
      return await this.#exchange(request)
    } finally {
      clearInterval(watch)
      over.removeEventListener('abort', end)
    }
  }

  async #exchange(request: Request): Promise<ProcessResponse> {
    this.#onEnd = undefined
    this.#process.ref()
    this.#process.channel?.ref()
    const outcome = await new Promise<{ response: ProcessResponse } | { reason: unknown }>((resolve) => {
      this.#settle = resolve
      if (this.#isOver) return resolve({ reason: new Error(`the ${this.#role} ended`) })
      // `send` is typed for messages with handles; requests have none
      this.#process.send(request as object, (reason) => reason && this.#close(reason))
    })
    this.#settle = undefined
    if ('reason' in outcome) throw outcome.reason
    return outcome.response
  }

  /** CPU time of the process; NaN without procfs. */
  #cpuSeconds(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8')
      // The process name may contain blanks and brackets; parse the fields after its last bracket.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    } catch {
      // The process has ended, or the system has no /proc.
      return Number.NaN
    }
  }

  /** Waits for the next request; `onEnd` is called if the process ends meanwhile. */
  rest(onEnd: () => void): void {
    this.#onEnd = onEnd
    this.#process.unref()
    this.#process.channel?.unref()
  }

  /** Kills the process. Its request is rejected with the reason. */
  end(reason: unknown = new Error(`the ${this.#role} was ended`)): void {
    this.#close(reason)
    this.#process.kill('SIGKILL')
  }

  #close(reason: unknown): void {
    this.#isOver = true
    this.#settle?.({ reason })
    const onEnd = this.#onEnd
    this.#onEnd = undefined
    onEnd?.()
  }
}

let isPrlimitThere: boolean | undefined
const hasPrlimit = () =>
  (isPrlimitThere ??= sandboxTools().some(({ name, isThere }) => name === 'prlimit' && isThere))

/**
 * Runs in the child: handles each message. Exits if the parent was killed before the kernel was asked to end the child
 * with it.
 */
export function serveRequests(handle: (request: never) => Promise<unknown>): void {
  if (process.ppid !== Number(process.argv[3])) process.exit()
  process.on('message', (request) => {
    // the parent sends what this module accepts
    void handle(request as never).then((message) => process.send?.(message))
  })
}
