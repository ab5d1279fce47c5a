import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { PlainStream } from '../containers/mp4/plain-streams.ts'
import type { SourceFile } from '../source/container.ts'
import { ImplausibleIndex, type StreamIndex } from '../plan/stream-index.ts'
import { ProcessPool } from '@kinora/platform/sandbox/process-pool.ts'
import { type WorkLimits, PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'

/** Enough for the index of a hundred hours. Tables made to exhaust memory end the reader, not the server. */
const heapMegabytes = 512
/** Idle readers are kept this long: starting one takes longer than reading most indexes. */
const idleMs = 60_000

/** Request to an index reader, and its response. */
export type IndexRequest = SourceFile & { path: string; describesPlain?: boolean }
/** `streams` is there where the request asks for it, and the file is plain. */
export type IndexResponse =
  | { index: StreamIndex | undefined; streams?: PlainStream[] | undefined }
  | { error: string; isImplausible: boolean }

const readers = new ProcessPool<IndexRequest, IndexResponse>(
  () => {
    const script = fileURLToPath(new URL('./index-reader.ts', import.meta.url))
    return new PreforkedProcess({ script, role: 'reader', heapMegabytes })
  },
  { maxIdle: availableParallelism(), idleMs },
)

/**
 * Reads a container's index in a separate process, so that a file crafted to take long or to exhaust memory delays no
 * other request. Returns undefined for unsupported files. Rejects if the file cannot be read (with `ImplausibleIndex`
 * if it was made to exhaust memory), if a limit of time or memory is exceeded, or if the signal is aborted.
 */
export async function readIndexInChild(
  request: IndexRequest,
  limits: WorkLimits,
): Promise<StreamIndex | undefined> {
  return (await readPlainInChild(request, limits)).index
}

/** The same with a description of the streams, if the file is plain. */
export async function readPlainInChild(
  request: IndexRequest,
  limits: WorkLimits,
): Promise<{ index: StreamIndex | undefined; streams?: PlainStream[] | undefined }> {
  const response = await readers.request(request, limits)
  if ('error' in response) throw new (response.isImplausible ? ImplausibleIndex : Error)(response.error)
  return response
}

/** Starts a reader while an upload is arriving, so that its sender does not wait for the start. */
export function keepIndexReaderReady(): void {
  readers.prefork()
}
