import { Worker } from 'node:worker_threads'
import type { StreamIndex } from './keyframe-index.ts'

/** The index of an honest film of a hundred hours fits; tables made to fill the memory end the thread, not the server. */
const heapMegabytes = 512
/** A thread without work is kept for so long: starting one takes longer than reading most indexes. */
const idleMs = 60_000
/** How often it is looked how much a thread has worked. */
const lookMs = 200

/** What the thread is asked, and what it answers. */
export type IndexRequest = { path: string }
export type IndexAnswer = { index: StreamIndex | undefined } | { error: string }

let spare: { worker: Worker; timer: NodeJS.Timeout } | undefined

interface Bounds {
  timeoutMs: number
  /** Of work: how long a busy machine lets it wait does not count. */
  cpuSeconds: number
  signal?: AbortSignal | undefined
}

/**
 * Reads a container's index in a thread of its own: a file that is made or torn so that reading it takes long blocks
 * nobody. Answers undefined for what the reader does not know; rejects when the file cannot be read, when the time,
 * the work or the memory of the thread is over, or when the signal is aborted.
 */
export async function readIndexApart(
  path: string,
  { timeoutMs, cpuSeconds, signal }: Bounds,
): Promise<StreamIndex | undefined> {
  const overworked = new AbortController()
  const over = AbortSignal.any([
    overworked.signal,
    AbortSignal.timeout(timeoutMs),
    ...(signal ? [signal] : []),
  ])
  over.throwIfAborted()
  const worker = takeThread()
  const watch = watchWork(worker, cpuSeconds, () => overworked.abort(new Error('the index is endless')))
  let onAbort: (() => void) | undefined
  try {
    const answer = await new Promise<IndexAnswer>((resolve, reject) => {
      onAbort = () => reject(over.reason)
      over.addEventListener('abort', onAbort, { once: true })
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread ended')))
      // a thread has no origin
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage({ path } satisfies IndexRequest)
    })
    forgetListeners(worker)
    keepThread(worker)
    if ('error' in answer) throw new Error(answer.error)
    return answer.index
  } catch (error) {
    if (spare?.worker !== worker) void worker.terminate()
    throw error
  } finally {
    clearInterval(watch)
    if (onAbort) over.removeEventListener('abort', onAbort)
  }
}

function watchWork(worker: Worker, cpuSeconds: number, giveUp: () => void): NodeJS.Timeout {
  let before: NodeJS.CpuUsage | undefined
  const look = async () => {
    // it has worked for other files too
    const { user, system } = await worker.cpuUsage(before)
    if (before && (user + system) / 1e6 > cpuSeconds) giveUp()
    before ??= { user, system }
  }
  // of a thread that is starting or has ended nothing can be told
  return setInterval(() => void look().catch(() => undefined), lookMs)
}

/** For a file on its way, while it comes: its sender need not wait for a thread to start as well. */
export function keepIndexThreadReady(): void {
  if (spare) spare.timer.refresh()
  else keepThread(startThread())
}

function takeThread(): Worker {
  const kept = spare
  spare = undefined
  if (!kept) return startThread()
  clearTimeout(kept.timer)
  forgetListeners(kept.worker)
  kept.worker.ref()
  return kept.worker
}

function startThread(): Worker {
  return new Worker(new URL('./index-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
}

/** Only ours: a worker listens to itself as well. */
function forgetListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}

/** One thread at most waits for the next file; it keeps no process from ending. */
function keepThread(worker: Worker): void {
  if (spare) {
    void worker.terminate()
    return
  }
  worker.unref()
  const forget = () => {
    if (spare?.worker === worker) spare = undefined
  }
  worker.once('error', forget).once('exit', forget)
  const timer = setTimeout(() => {
    forget()
    void worker.terminate()
  }, idleMs)
  timer.unref()
  spare = { worker, timer }
}
