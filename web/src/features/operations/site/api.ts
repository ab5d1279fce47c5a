import { getPrivacy, getSite } from '@kinora/contract/operations/site.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions } from '@tanstack/react-query'
import { siteKeys } from '../../../lib/rare-keys.ts'

/** Name, logo, texts and public settings of the site. */
export const siteQuery = queryOptions({
  queryKey: siteKeys.site,
  queryFn: ({ signal }) => call(getSite, { signal }),
})

/** Facts about the configuration that concern the data of visitors. */
export const privacyQuery = queryOptions({
  queryKey: siteKeys.privacy,
  queryFn: ({ signal }) => call(getPrivacy, { signal }),
})
