import { indexFromContainer } from './keyframe-index.ts'
import type { IndexAnswer, IndexRequest } from './index-process.ts'

/** The process behind `readIndexApart`: one file after the other, until nobody is there to ask. */
process.on('message', ({ path }: IndexRequest) => {
  void read(path).then((answer) => process.send?.(answer))
})

async function read(path: string): Promise<IndexAnswer> {
  try {
    return { index: await indexFromContainer(path) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
