import { readIndex } from './keyframe-index.ts'
import { ImplausibleIndex } from './stream-index.ts'
import type { IndexAnswer, IndexRequest } from './index-process.ts'

// Killed before the system could be told to end this process with it: nobody would ever end it.
if (process.ppid !== Number(process.argv[3])) process.exit()

/** The process behind `readIndexApart`: one file after the other, until nobody is there to ask. */
process.on('message', (request: IndexRequest) => {
  void read(request).then((answer) => process.send?.(answer))
})

async function read({ path, ...file }: IndexRequest): Promise<IndexAnswer> {
  try {
    return { index: await readIndex(path, file) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: message, isImplausible: error instanceof ImplausibleIndex }
  }
}
