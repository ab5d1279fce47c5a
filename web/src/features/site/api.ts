import { getPrivacy, getSite } from '@kinora/contract/calls/site.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions } from '@tanstack/react-query'
import { siteKeys } from '../../lib/query-keys.ts'

/** What the site says about itself. */
export const siteQuery = queryOptions({
  queryKey: siteKeys.site,
  queryFn: ({ signal }) => call(getSite, { signal }),
})

/** What the configuration of the site means for the data of its visitors. */
export const privacyQuery = queryOptions({
  queryKey: siteKeys.privacy,
  queryFn: ({ signal }) => call(getPrivacy, { signal }),
})
