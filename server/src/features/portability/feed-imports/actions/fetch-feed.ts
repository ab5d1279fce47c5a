import { fileURLToPath } from 'node:url'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { Config } from '../../../../context/config.ts'
import { PreforkedProcess } from '@kinora/platform/sandbox/preforked-process.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { getOutside, outsideError } from '@kinora/platform/http/outgoing/request-outside.ts'
import type { FeedImportRow } from '../queries.ts'
import { assertFeed, decodeFeed, type FeedContents } from '../rules.ts'

const feedMaxBytes = 5 * 1024 ** 2
const fetchTimeoutMs = 60_000
const parseLimits = { timeoutMs: 60_000, cpuSeconds: 15 }

export interface FeedRequest {
  text: string
  url: string
}

export interface FetchedFeed {
  /** Undefined for a feed that is unchanged since the last check. */
  contents: FeedContents | undefined
  etag: string | null
  lastModified: string | null
}

/**
 * Requests a feed unless it is unchanged, and reads it in a process of its own. Throws `invalid` for an address that
 * cannot be reached or is not public, and for what is no feed.
 */
export async function fetchFeed(
  config: Pick<Config, 'importAllowedAddresses'>,
  feed: Pick<FeedImportRow, 'url' | 'etag' | 'lastModified'>,
  signal: AbortSignal,
): Promise<FetchedFeed> {
  const { url, etag, lastModified } = feed
  try {
    using received = await getOutside(url, {
      headers: {
        'user-agent': 'Kinora',
        accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5',
        ...(etag !== null && { 'if-none-match': etag }),
        ...(lastModified !== null && { 'if-modified-since': lastModified }),
      },
      allowedAddresses: config.importAllowedAddresses,
      signal: AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)]),
    })
    const { statusCode = 0, headers } = received.response
    if (statusCode === 304) return { contents: undefined, etag, lastModified }
    assertFeed(statusCode)
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of received.response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > feedMaxBytes) throw new AppError(portabilityErrors.feedTooLarge)
      chunks.push(chunk)
    }
    const contents = await readFeed(
      { text: decodeFeed(Buffer.concat(chunks), headers['content-type']), url },
      signal,
    )
    return { contents, etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    throw outsideError(error)
  }
}

/** Parses a feed, which comes from anybody, with limited memory and time. */
async function readFeed(request: FeedRequest, signal: AbortSignal): Promise<FeedContents> {
  const reader = new PreforkedProcess<FeedRequest, FeedContents | null>({
    script: fileURLToPath(new URL('./feed-reader.ts', import.meta.url)),
    role: 'feed-reader',
    heapMegabytes: 256,
    memoryBytes: 2 * 1024 ** 3,
  })
  try {
    const contents = await reader.request(request, { ...parseLimits, signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new AppError(portabilityErrors.feedUnreadable, { cause: error })
    })
    if (contents === null) throw new AppError(portabilityErrors.noFeedAtAddress)
    return contents
  } finally {
    reader.end()
  }
}
