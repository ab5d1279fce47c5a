import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '@kinora/platform/errors.ts'
import { inSpan } from '@kinora/platform/tracing/tracing.ts'
import {
  killedFirst,
  sandboxEnv,
  sandboxFor,
  sendFilter,
  withFilter,
} from '@kinora/platform/sandbox/sandbox.ts'

/** Paths of the two programs. */
export type MediaTools = { ffmpeg: string; ffprobe: string }

export const toolsOf = (config: { ffmpegPath: string; ffprobePath: string }): MediaTools => ({
  ffmpeg: config.ffmpegPath,
  ffprobe: config.ffprobePath,
})

export type RunOptions = {
  signal?: AbortSignal | undefined
  /** The run is killed after this long. */
  timeoutMs: number
  /** CPU niceness from 0 (the server's own) to 19. */
  niceness?: number | undefined
  /** The files, or URLs of an object store, that the program may open. All others are hidden. */
  reads?: string[]
  /** Limit of allocated address space, thread stacks included: far above real use. */
  memoryBytes?: number
  /** Only for trusted input: the program then writes files itself. */
  isUnsandboxed?: boolean
  /** Bytes for the program's standard input. */
  input?: AsyncIterable<Uint8Array> | undefined
  /** Number of outputs: the first is standard output, others are file descriptors 3, 4, ... */
  outputs?: number
  onOutput?: (output: number, chunk: Buffer) => void
  /** Receives standard output with back-pressure, instead of `onOutput`; it is ended or destroyed. */
  output?: Writable
}

const STDERR_TAIL_BYTES = 4096
const GIBIBYTE = 2 ** 30
/** Exit code of a sandbox whose program was killed: 128 plus the signal's number. */
const KILLED_IN_SANDBOX = 137

/** A failed run of ffmpeg or ffprobe: the command, its exit code and the end of its error output. */
export class FfmpegError extends Error {
  readonly command: string
  readonly exitCode: number | null
  readonly stderr: string
  readonly timedOut: boolean
  /** Killed by another process, such as the kernel's OOM killer. */
  readonly wasKilled: boolean

  constructor(
    command: string[],
    exitCode: number | null,
    stderr: string,
    { timedOut, wasKilled }: { timedOut: boolean; wasKilled: boolean },
  ) {
    const reason = timedOut ? 'took too long' : `ended with ${exitCode ?? 'a signal'}`
    super(`${command[0]} ${reason}: ${stderr.trim().split('\n').at(-1) ?? ''}`)
    this.name = 'FfmpegError'
    this.command = command.join(' ')
    this.exitCode = exitCode
    this.stderr = stderr
    this.timedOut = timedOut
    this.wasKilled = wasKilled
  }

  /** Whether this machine, rather than the file, caused the failure. */
  get isHostFailure(): boolean {
    return this.timedOut || this.wasKilled
  }
}

/** ffmpeg's options in the order given: `{ 'c:v': 'libx264', crf: 23 }` is `-c:v libx264 -crf 23`. */
export function flags(values: Record<string, string | number>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`-${name}`, String(value)])
}

/** The file descriptor URL of an output, as `onOutput` numbers them. */
export function outputUrl(output: number): string {
  return `pipe:${output === 0 ? 1 : output + 2}`
}

/**
 * The only function that starts ffmpeg or ffprobe: by argument array, in a sandbox (`sandbox.ts`), without standard
 * input unless it is given. Rejects with `FfmpegError`, or with the signal's reason when aborted.
 */
export function runTool(program: string, args: string[], options: RunOptions): Promise<void> {
  const name = program.split('/').at(-1) ?? program
  // presigned URLs contain a signature
  const loggedArgs = args.map((arg) => arg.replace(/^(https?:[^?]*).*/, '$1')).join(' ')
  return inSpan(name, { 'process.command_args': loggedArgs.slice(0, 2000) }, () =>
    run(program, args, options),
  )
}

async function run(program: string, args: string[], options: RunOptions): Promise<void> {
  const command = [program, ...args]
  const outputs = options.outputs ?? 1
  const filterFd = outputs + 2
  const [file = '', ...rest] = await sandboxed(command, options, filterFd)
  options.signal?.throwIfAborted()
  const child = spawn(file, rest, {
    env: sandboxEnv,
    // a process group: the children that set up the sandbox would survive its leader and wait forever
    detached: true,
    stdio: [
      options.input ? 'pipe' : 'ignore',
      'pipe',
      'pipe',
      ...Array.from({ length: outputs - 1 }, () => 'pipe' as const),
      'pipe',
    ],
  })
  sendFilter(child.stdio[filterFd], { reads: options.reads ?? [] })

  const abort = () => killGroup(child)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    abort()
  }, options.timeoutMs)
  options.signal?.addEventListener('abort', abort, { once: true })

  let stderr = Buffer.alloc(0)
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_TAIL_BYTES)
  })
  let failure: unknown
  const writing =
    options.output &&
    pipeline(child.stdout as Readable, options.output).catch((error: unknown) => {
      failure ??= error
      abort()
    })
  for (let output = options.output ? 1 : 0; output < outputs; output++) {
    const stream = child.stdio[output === 0 ? 1 : output + 2] as Readable
    stream.on('data', (chunk: Buffer) => {
      if (failure !== undefined) return
      try {
        options.onOutput?.(output, chunk)
      } catch (error) {
        failure = error
        abort()
      }
    })
  }
  // Input that fails ends the run. Awaited below, after the program has ended.
  const feeding =
    options.input && child.stdin
      ? feed(child.stdin, options.input).catch((error: unknown) => {
          failure ??= error
          abort()
        })
      : undefined

  try {
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
      (resolve, reject) => {
        child.once('error', reject)
        child.once('close', (...end) => resolve(end))
      },
    )
    await feeding
    await writing
    options.signal?.throwIfAborted()
    if (failure !== undefined) throw failure
    if (exitCode !== 0 || timedOut) {
      const wasKilled = !timedOut && (signal === 'SIGKILL' || exitCode === KILLED_IN_SANDBOX)
      throw new FfmpegError(command, exitCode, stderr.toString('utf8'), { timedOut, wasKilled })
    }
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', abort)
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

const isGone = (error: unknown) => codeOf(error) === 'ESRCH'

/** Runs a program and returns its output. */
export async function readTool(
  program: string,
  args: string[],
  options: RunOptions & { maxBytes: number },
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  await runTool(program, args, {
    ...options,
    onOutput: (_, chunk) => {
      size += chunk.length
      if (size > options.maxBytes) throw new Error(`${program} wrote more than ${options.maxBytes} bytes`)
      chunks.push(chunk)
    },
  })
  return Buffer.concat(chunks)
}

async function sandboxed(command: string[], options: RunOptions, filterFd: number): Promise<string[]> {
  const { niceness = 0, reads = [], memoryBytes = 2 * GIBIBYTE, timeoutMs, isUnsandboxed = false } = options
  const nice = niceness > 0 ? ['nice', '-n', String(niceness)] : []
  if (isUnsandboxed) return [...nice, ...command]
  const sandbox = await sandboxFor(command[0] ?? '')
  return [
    ...killedFirst(),
    ...nice,
    ...sandbox.wrap(command, { reads, memoryBytes, timeoutMs, ...withFilter(filterFd) }),
  ]
}

/** A program that has read enough closes its input. That is no failure: its exit code decides. */
async function feed(stdin: NodeJS.WritableStream, input: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(input, stdin)
  } catch (error) {
    if (!closedCodes.has(codeOf(error))) throw error
  }
}

const closedCodes = new Set<unknown>(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])
