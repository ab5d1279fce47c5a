import { getUploadQuota } from '@kinora/contract/videos/uploads.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions } from '@tanstack/react-query'
import { uploadKeys } from '../../../lib/query-keys.ts'

/** Quota of the signed-in user. */
export const uploadQuotaQuery = queryOptions({
  queryKey: uploadKeys.quota,
  queryFn: ({ signal }) => call(getUploadQuota, { signal }),
})
