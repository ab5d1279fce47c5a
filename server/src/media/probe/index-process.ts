import { fileURLToPath } from 'node:url'
import type { SourceFile } from '../source/container.ts'
import { ImplausibleIndex, type StreamIndex } from '../plan/stream-index.ts'
import { ProcessPool } from '../process/process-pool.ts'
import { type WorkLimits, WorkerProcess } from '../process/worker-process.ts'

/** The index of an honest video of a hundred hours fits; tables made to fill the memory end the reader, not the server. */
const heapMegabytes = 512
/** A reader without work is kept for so long: starting one takes longer than reading most indexes. */
const idleMs = 60_000

/** Request to an index reader, and its response. */
export type IndexRequest = SourceFile & { path: string }
export type IndexResponse = { index: StreamIndex | undefined } | { error: string; isImplausible: boolean }

const readers = new ProcessPool<IndexRequest, IndexResponse>(
  () => {
    const script = fileURLToPath(new URL('./index-reader.ts', import.meta.url))
    return new WorkerProcess({ script, role: 'reader', heapMegabytes })
  },
  { maxIdle: 1, idleMs },
)

/**
 * Reads a container's index in a process of its own: a file that is made or truncated so that reading it takes long, or fills
 * the memory, hinders nobody. Answers undefined for what the reader does not know; rejects when the file cannot be read,
 * (with `ImplausibleIndex` where it was made to fill the memory), when the time, the work or the memory of the reader is
 * over, or when the signal is aborted.
 */
export async function readIndexApart(
  request: IndexRequest,
  limits: WorkLimits,
): Promise<StreamIndex | undefined> {
  const response = await readers.request(request, limits)
  if ('error' in response) throw new (response.isImplausible ? ImplausibleIndex : Error)(response.error)
  return response.index
}

/** For a file on its way, while it comes: its sender need not wait for a reader to start as well. */
export function keepIndexReaderReady(): void {
  readers.prefork()
}
