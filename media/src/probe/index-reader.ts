import { describePlainMp4 } from '../containers/mp4/plain-streams.ts'
import { rangesOfFile } from '../source/source-bytes.ts'
import { readIndex } from './read-index.ts'
import { ImplausibleIndex } from '../plan/stream-index.ts'
import type { IndexResponse, IndexRequest } from './index-process.ts'
import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'

/** Entry of the process that `readIndexInChild` starts. */
serveRequests(read)

async function read({ path, describesPlain, ...file }: IndexRequest): Promise<IndexResponse> {
  try {
    const streams = describesPlain ? await describePlainMp4(await rangesOfFile(path)) : undefined
    // of other files, nobody asks for the index without a description
    if (describesPlain && !streams) return { index: undefined }
    return { index: await readIndex(path, file), streams }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: message, isImplausible: error instanceof ImplausibleIndex }
  }
}
