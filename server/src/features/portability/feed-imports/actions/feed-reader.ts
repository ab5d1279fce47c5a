import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'
import type { FeedContents } from '../rules.ts'
import type { FeedRequest } from './fetch-feed.ts'
import { parseFeed } from './parse-feed.ts'

serveRequests(
  async ({ text, url }: FeedRequest): Promise<FeedContents | null> => parseFeed(text, url) ?? null,
)
