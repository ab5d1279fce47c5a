import type { SharedVideo } from '@kinora/contract/videos/share-links.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { linkCheckQuery } from '../../features/videos/share-links/api.ts'

/** Opens the link of a shown video again as soon as it has ended. */
export function useLinkCheck(key: string, video: SharedVideo | null | undefined, error: unknown): void {
  const client = useQueryClient()
  useQuery({
    ...linkCheckQuery(client, key, video?.streamUrl ?? ''),
    enabled: Boolean(video) && !error,
  })
}
