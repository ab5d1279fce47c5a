import { fileURLToPath } from 'node:url'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'
import { decodeFeed } from './decode-feed.ts'
import type { FeedContents } from './parse-feed.ts'

const limits = { timeoutMs: 60_000, cpuSeconds: 15 }

export interface FeedRequest {
  text: string
  url: string
}

/**
 * Reads an RSS or Atom feed, which comes from anybody, in a process with limited memory and time. Throws `invalid` for
 * anything else, and what does not end within them.
 */
export async function readFeed(
  bytes: Buffer,
  { url, contentType }: { url: string; contentType: string | undefined },
  signal: AbortSignal,
): Promise<FeedContents> {
  const reader = new PreforkedProcess<FeedRequest, FeedContents | null>({
    script: fileURLToPath(new URL('./reader-process.ts', import.meta.url)),
    role: 'feed-reader',
    heapMegabytes: 256,
    memoryBytes: 2 * 1024 ** 3,
  })
  try {
    const request = { text: decodeFeed(bytes, contentType), url }
    const contents = await reader.request(request, { ...limits, signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new AppError(portabilityErrors.feedUnreadable, { cause: error })
    })
    if (contents === null) throw new AppError(portabilityErrors.noFeedAtAddress)
    return contents
  } finally {
    reader.end()
  }
}
