import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { endingWithUs, sandboxEnv } from './sandbox.ts'
import type { SourceFile } from './container.ts'
import { ImplausibleIndex, type StreamIndex } from './stream-index.ts'

/** The index of an honest film of a hundred hours fits; tables made to fill the memory end the reader, not the server. */
const heapMegabytes = 512
/** A reader without work is kept for so long: starting one takes longer than reading most indexes. */
const idleMs = 60_000
/** How often it is looked how much a reader has worked. */
const lookMs = 200

/** What a reader is asked, and what it answers. */
export type IndexRequest = SourceFile & { path: string }
export type IndexAnswer = { index: StreamIndex | undefined } | { error: string; isImplausible: boolean }

/** As Linux tells of processes, on every machine. */
const TICKS_PER_SECOND = 100

/** One at most waits for the next file. */
let spare: { reader: Reader; timer: NodeJS.Timeout } | undefined

interface Bounds {
  timeoutMs: number
  /** Of work, where the system tells: how long a busy machine lets it wait does not count. */
  cpuSeconds: number
  signal?: AbortSignal | undefined
}

/**
 * Reads a container's index in a process of its own: a file that is made or torn so that reading it takes long, or fills
 * the memory, hinders nobody. Answers undefined for what the reader does not know; rejects when the file cannot be read,
 * (with `ImplausibleIndex` where it was made to fill the memory), when the time, the work or the memory of the reader is
 * over, or when the signal is aborted.
 */
export async function readIndexApart(
  request: IndexRequest,
  { timeoutMs, cpuSeconds, signal }: Bounds,
): Promise<StreamIndex | undefined> {
  const over = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  over.throwIfAborted()
  const reader = takeSpare() ?? new Reader()
  const end = () => reader.end(over.reason)
  over.addEventListener('abort', end, { once: true })
  const mostSeconds = reader.cpuSeconds() + cpuSeconds
  const watch = setInterval(() => {
    if (reader.cpuSeconds() > mostSeconds) reader.end(new Error('the index is endless'))
  }, lookMs)
  try {
    const answer = await reader.ask(request)
    keep(reader)
    if ('error' in answer) throw new (answer.isImplausible ? ImplausibleIndex : Error)(answer.error)
    return answer.index
  } finally {
    clearInterval(watch)
    over.removeEventListener('abort', end)
  }
}

/** For a file on its way, while it comes: its sender need not wait for a reader to start as well. */
export function keepIndexReaderReady(): void {
  if (spare) spare.timer.refresh()
  else keep(new Reader())
}

function takeSpare(): Reader | undefined {
  const reader = spare?.reader
  clearTimeout(spare?.timer)
  spare = undefined
  return reader
}

function keep(reader: Reader): void {
  if (spare) return reader.end()
  const leave = () => {
    if (spare?.reader === reader) takeSpare()
    reader.end()
  }
  const timer = setTimeout(leave, idleMs)
  timer.unref()
  spare = { reader, timer }
  reader.rest(leave)
}

/**
 * A process that reads one index after the other. It ends with this one, whatever it is busy with, learns nothing of its
 * environment but where compiled code is kept, and keeps it from ending only while it is asked.
 */
class Reader {
  readonly #process: ChildProcess
  #settle: ((outcome: { answer: IndexAnswer } | { reason: unknown }) => void) | undefined
  #onEnd: (() => void) | undefined

  constructor() {
    const cache = getCompileCacheDir()
    const script = fileURLToPath(new URL('./index-reader.ts', import.meta.url))
    const ours = ['reader', String(process.pid)]
    const command = [process.execPath, `--max-old-space-size=${heapMegabytes}`, script, ...ours]
    const [program = '', ...args] = endingWithUs(command)
    this.#process = spawn(program, args, {
      env: { ...sandboxEnv, ...(cache ? { NODE_COMPILE_CACHE: path.dirname(cache) } : {}) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    // it is of our own program, and answers as it is asked
    this.#process.on('message', (answer) => this.#settle?.({ answer: answer as IndexAnswer }))
    this.#process.on('error', (reason) => this.#close(reason))
    this.#process.on('exit', () => this.#close(new Error('the reader ended')))
  }

  async ask(request: IndexRequest): Promise<IndexAnswer> {
    this.#onEnd = undefined
    this.#process.ref()
    this.#process.channel?.ref()
    const outcome = await new Promise<{ answer: IndexAnswer } | { reason: unknown }>((resolve) => {
      this.#settle = resolve
      this.#process.send(request, (reason) => reason && this.#close(reason))
    })
    this.#settle = undefined
    if ('reason' in outcome) throw outcome.reason
    return outcome.answer
  }

  /** How much it has worked so far; NaN where the system does not tell. */
  cpuSeconds(): number {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8')
      // the name may contain blanks and brackets; what follows its last bracket is regular
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    } catch {
      return Number.NaN
    }
  }

  /** Waits for the next file; `onEnd` is told when it ends unasked. */
  rest(onEnd: () => void): void {
    this.#onEnd = onEnd
    this.#process.unref()
    this.#process.channel?.unref()
  }

  /** Kills it; what it was asked is rejected with the reason. */
  end(reason: unknown = new Error('the reader was ended')): void {
    this.#close(reason)
    this.#process.kill('SIGKILL')
  }

  #close(reason: unknown): void {
    this.#settle?.({ reason })
    const onEnd = this.#onEnd
    this.#onEnd = undefined
    onEnd?.()
  }
}
