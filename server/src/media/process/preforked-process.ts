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
  /** Where it gets a directory of its own while it runs: on the disk of the files that it will read. */
  directory: string
}

/**
 * A run of ffprobe that has started, and waits before it looks at its input: that there is a file, and that it is whole.
 * Starting takes it several times as long as what it then does.
 *
 * It waits where it opens its output, since it does that before it opens its input: the output is a FIFO, and opening one
 * waits for a reader. Both have names in a directory of its own, where the file is linked before it goes on.
 */
export class PreforkedProcess implements AsyncDisposable {
  readonly #input: string
  readonly #fifo: string
  readonly #end = new AbortController()
  readonly #made: Promise<unknown>
  readonly #ended: Promise<void>

  /** `argsFor` answers the arguments for an input, but for its output. */
  constructor(
    program: string,
    argsFor: (input: string) => string[],
    { directory, timeoutMs, memoryBytes, signal }: PreforkOptions,
  ) {
    const own = path.join(directory, ownName())
    this.#input = path.join(own, 'input')
    this.#fifo = path.join(own, 'output')
    this.#made = mkdir(own, { recursive: true, mode: 0o750 }).then(() =>
      // the program may be another user of our group
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

  /** Lets it read a file and answers what it writes. Throws like `runTool`; what failed may succeed when it is run plainly. */
  async read(file: string, maxBytes: number): Promise<Buffer> {
    await this.#made
    await link(file, this.#input)
    // not to wait for the program: it may have ended, or not be there yet
    const output = openSync(this.#fifo, O_RDONLY | O_NONBLOCK)
    // while there is another writer, the output does not end
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
