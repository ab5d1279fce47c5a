import { readIndex } from './keyframe-index.ts'
import { ImplausibleIndex } from '../plan/stream-index.ts'
import type { IndexAnswer, IndexRequest } from './index-process.ts'
import { answerRequests } from '../process/worker-process.ts'

/** The process behind `readIndexApart`. */
answerRequests(read)

async function read({ path, ...file }: IndexRequest): Promise<IndexAnswer> {
  try {
    return { index: await readIndex(path, file) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: message, isImplausible: error instanceof ImplausibleIndex }
  }
}
