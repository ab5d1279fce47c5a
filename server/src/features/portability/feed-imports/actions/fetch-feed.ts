import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { Config } from '../../../../context/config.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { getOutside, outsideError } from '@kinora/platform/http/outgoing/request-outside.ts'
import type { FeedImportRow } from '../queries.ts'
import type { FeedContents } from '@kinora/importers/feeds/parse-feed.ts'
import { assertFeed } from '../rules.ts'

const feedMaxBytes = 5 * 1024 ** 2
const fetchTimeoutMs = 60_000

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
    const { readFeed } = await import('@kinora/importers/feeds/read-feed.ts')
    const contents = await readFeed(
      Buffer.concat(chunks),
      { url, contentType: headers['content-type'] },
      signal,
    )
    return { contents, etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    throw outsideError(error)
  }
}
