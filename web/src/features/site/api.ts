import { getSite } from '@kinora/contract/calls.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions } from '@tanstack/react-query'
import { siteKeys } from '../../lib/query-keys.ts'

/** What the site says about itself. */
export const siteQuery = queryOptions({
  queryKey: siteKeys.site,
  queryFn: ({ signal }) => call(getSite, { signal }),
})
