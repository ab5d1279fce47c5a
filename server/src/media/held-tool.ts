import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { ownName } from '../platform/process-identity.ts'
import { runTool, type RunOptions } from './ffmpeg.ts'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** Nobody sends the last bytes for longer; whoever does has the program started anew. */
const MAX_HELD_MS = 30_000

type HeldOptions = Pick<RunOptions, 'timeoutMs' | 'memoryBytes' | 'signal'> & {
  /** The file that it will read, which may still grow. */
  file: string
  /** For a FIFO, while it runs. */
  directory: string
}

/**
 * A run of ffprobe that has started, and waits before it looks at its input: that the file is whole. Starting takes it
 * several times as long as what it then does.
 *
 * It waits where it opens its output, since it does that before it opens its input: the output is a FIFO, and opening one
 * waits for a reader.
 */
export class HeldTool implements AsyncDisposable {
  readonly #fifo: string
  readonly #end = new AbortController()
  readonly #made: Promise<unknown>
  readonly #ended: Promise<void>

  constructor(
    program: string,
    args: string[],
    { file, directory, timeoutMs, memoryBytes, signal }: HeldOptions,
  ) {
    this.#fifo = path.join(directory, ownName())
    this.#made = promisify(execFile)('mkfifo', ['-m', '600', this.#fifo])
    const run = async () => {
      try {
        await this.#made
        await runTool(program, [...args, '-o', `file:${this.#fifo}`], {
          timeoutMs: MAX_HELD_MS + timeoutMs,
          reads: [file, this.#fifo],
          ...(memoryBytes ? { memoryBytes } : {}),
          signal: AbortSignal.any([this.#end.signal, ...(signal ? [signal] : [])]),
        })
      } finally {
        await rm(this.#fifo, { force: true })
      }
    }
    this.#ended = run()
    // looked at by whoever reads; until then a failure is nobody's
    this.#ended.catch(() => undefined)
  }

  /** Lets it go on and answers what it writes. Throws like `runTool`; what failed may succeed when it is run plainly. */
  async read(maxBytes: number): Promise<Buffer> {
    await this.#made
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
    this.#end.abort(new Error('it is not needed any more'))
    await this.#ended.catch(() => undefined)
  }
}
