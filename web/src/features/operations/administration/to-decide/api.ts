import { call } from '@kinora/contract/client.ts'
import type { ToDecide } from '@kinora/contract/operations/moderation.ts'
import { queryOptions } from '@tanstack/react-query'
import { administrationKeys } from '../../../../lib/administration-keys.ts'

/** How much waits for moderators. Refetched each minute while the page is visible, and by each notification. */
export const toDecideQuery = queryOptions({
  queryKey: administrationKeys.toDecide,
  queryFn: async ({ signal }) => {
    // the navigation of every page has this query, and only moderators need the calls of moderators
    const { countToDecide } = await import('@kinora/contract/operations/moderation.ts')
    return call(countToDecide, { signal })
  },
  staleTime: 30_000,
  refetchInterval: 60_000,
})

export const totalOf = ({ reports, comments, accounts, videos }: ToDecide): number =>
  reports + comments + accounts + videos
