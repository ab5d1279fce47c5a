import { getUploadQuota } from '@kinora/contract/videos/uploads.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions } from '@tanstack/react-query'
import { uploadKeys } from '../../../lib/rare-keys.ts'

/** Quota of the signed-in user, or of a channel of somebody else. */
export const uploadQuotaQuery = (channel?: string) =>
  queryOptions({
    queryKey: [...uploadKeys.quota, channel],
    queryFn: ({ signal }) => call(getUploadQuota, { query: { channel }, signal }),
  })
