import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { ownName } from '../../platform/process-identity.ts'
import { runTool, type RunOptions } from './ffmpeg.ts'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** Longest wait for the file. After it, the process ends and a new one is started. */
export const MAX_WAIT_MS = 120_000

type PreforkOptions = Pick<RunOptions, 'timeoutMs' | 'memoryBytes' | 'signal'> & {
  /** Parent of the temporary directory of the run. Must be on the disk of the files that it reads. */
  directory: string
}

/**
 * A preforked ffprobe: started, but waiting until its input exists and is complete. Starting takes several times as
 * long as the inspection.
 *
 * The process waits where it opens its output, which it does before it opens its input: the output is a FIFO, and
 * opening one blocks until there is a reader. Both have names in a temporary directory, into which the file is linked
 * before the process continues.
 */
export class PreforkedProcess implements AsyncDisposable {
  readonly #input: string
  readonly #fifo: string
  readonly #end = new AbortController()
  readonly #made: Promise<unknown>
  readonly #ended: Promise<void>

  /** `argsFor` returns the arguments for an input, without those for its output. */
  constructor(
    program: string,
    argsFor: (input: string) => string[],
    { directory, timeoutMs, memoryBytes, signal }: PreforkOptions,
  ) {
    const own = path.join(directory, ownName())
    this.#input = path.join(own, 'input')
    this.#fifo = path.join(own, 'output')
    this.#made = mkdir(own, { recursive: true, mode: 0o750 }).then(() =>
      // the program may run as another user of our group
      promisify(execFile)('mkfifo', ['-m', '660', this.#fifo]),
    )
    const run = async () => {
      try {
        await this.#made
        await runTool(program, [...argsFor(this.#input), '-o', `file:${this.#fifo}`], {
          timeoutMs: MAX_WAIT_MS + timeoutMs,
          reads: [own],
          ...(memoryBytes ? { memoryBytes } : {}),
          signal: AbortSignal.any([this.#end.signal, ...(signal ? [signal] : [])]),
        })
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    }
    this.#ended = run()
    // `read` awaits it; without a reader a failure must not be an unhandled rejection.
    this.#ended.catch(() => undefined)
  }

  /**
   * Lets the process read a file and returns its output. Throws like `runTool`; a plain run may succeed after a
   * failure.
   */
  async read(file: string, maxBytes: number): Promise<Buffer> {
    await this.#made
    await link(file, this.#input)
    // non-blocking: the program may have ended, or not be there yet
    const output = openSync(this.#fifo, O_RDONLY | O_NONBLOCK)
    // the output does not end while there is another writer
    const keeper = openSync(this.#fifo, O_WRONLY | O_NONBLOCK)
    const chunks: Buffer[] = []
    let size = 0
    const reading = new Socket({ fd: output, readable: true, writable: false })
    reading.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) this.#end.abort(new Error(`it wrote more than ${maxBytes} bytes`))
      else chunks.push(chunk)
    })
    const isRead = new Promise((resolve) => reading.once('close', resolve))
    try {
      await this.#ended
    } finally {
      closeSync(keeper)
      await isRead
    }
    return Buffer.concat(chunks)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(new Error('The preforked process is no longer needed'))
    // Disposal aborts the run, so it ends with an error by design.
    await this.#ended.catch(() => undefined)
  }
}
