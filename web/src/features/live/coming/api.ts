import { call } from '@kinora/contract/client.ts'
import { listComing } from '@kinora/contract/live/coming.ts'
import { queryOptions } from '@tanstack/react-query'

/** How often a page looks for what has begun. */
const CHECK_MS = 30_000

/** Streams and premieres that run or come: of all channels, of one, or of those that the viewer follows. */
export const comingQuery = (of: { channel?: string; subscribed?: 'true' } = {}) =>
  queryOptions({
    queryKey: ['coming', of],
    queryFn: ({ signal }) => call(listComing, { query: of, signal }),
    refetchInterval: CHECK_MS,
  })
