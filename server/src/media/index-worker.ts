import { parentPort } from 'node:worker_threads'
import { indexFromContainer } from './keyframe-index.ts'
import type { IndexAnswer, IndexRequest } from './index-thread.ts'

/** The thread behind `readIndexApart`: one file after the other. */
parentPort?.on('message', ({ path }: IndexRequest) => {
  // a thread has no origin
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  void read(path).then((answer) => parentPort?.postMessage(answer))
})

async function read(path: string): Promise<IndexAnswer> {
  try {
    return { index: await indexFromContainer(path) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
