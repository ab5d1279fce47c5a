import { readIndex } from './read-index.ts'
import { ImplausibleIndex } from '../plan/stream-index.ts'
import type { IndexResponse, IndexRequest } from './index-process.ts'
import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'

/** Entry of the process that `readIndexInChild` starts. */
serveRequests(read)

async function read({ path, ...file }: IndexRequest): Promise<IndexResponse> {
  try {
    return { index: await readIndex(path, file) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: message, isImplausible: error instanceof ImplausibleIndex }
  }
}
