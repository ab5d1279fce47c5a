import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'
import { type FeedContents, parseFeed } from './parse-feed.ts'
import type { FeedRequest } from './read-feed.ts'

serveRequests(
  async ({ text, url }: FeedRequest): Promise<FeedContents | null> => parseFeed(text, url) ?? null,
)
